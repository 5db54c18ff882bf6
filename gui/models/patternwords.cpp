// SPDX-License-Identifier: GPL-3.0-or-later
#include "patternwords.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace tasuki::patternwords {

Words takeApart(std::string_view english)
{
    // What is quoted may have quotation marks in it. A character that a name cannot have is bare.
    static const QRegularExpression part(QStringLiteral(
        R"re(^[^ @]+@[^ ]+|"[^"]*"(?:[^" ]*")*|\([^()]*\)|(?<=There are )[^?]+$|[0-9]+|(?<=" has a )[^ ](?= in it$))re"));
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    Words words;
    qsizetype begin = 0;
    auto matches = part.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        words.parts << match.captured();
        words.pattern += text.mid(begin, match.capturedStart() - begin)
            + QStringLiteral("%%1").arg(words.parts.size());
        begin = match.capturedEnd();
    }
    words.pattern += text.mid(begin);
    return words;
}

QString translated(std::string_view english, const char* context)
{
    const Words words = takeApart(english);
    const QString text = QCoreApplication::translate(context, words.pattern.toUtf8().constData());
    static const QRegularExpression place(QStringLiteral("%([1-9])"));
    QString out;
    qsizetype begin = 0;
    auto matches = place.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        out += text.mid(begin, match.capturedStart() - begin)
            + words.parts.value(match.captured(1).toInt() - 1);
        begin = match.capturedEnd();
    }
    return out + text.mid(begin);
}

} // namespace tasuki::patternwords
