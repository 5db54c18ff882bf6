// SPDX-License-Identifier: GPL-3.0-or-later
#include "languages.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace tasuki {

Languages::~Languages()
{
    for (const auto& translator : m_translators)
        QCoreApplication::removeTranslator(translator.get());
}

void Languages::use(const QString& language)
{
    for (const auto& translator : m_translators)
        QCoreApplication::removeTranslator(translator.get());
    m_translators.clear();
    const QLocale system = QLocale::system();
    const bool japanese = language.isEmpty() ? system.language() == QLocale::Japanese
                                             : language == QLatin1String("ja");
    m_current = japanese ? QStringLiteral("ja") : QStringLiteral("en");
    const auto wanted = japanese ? QLocale::Japanese : QLocale::English;
    // The habits of the user's country where the language is the same.
    QLocale::setDefault(system.language() == wanted ? system : QLocale(wanted));
    const QString own = QStringLiteral(":/translations");
    if (japanese) {
        load(QStringLiteral("qt_ja"), own);
        load(QStringLiteral("qtbase_ja"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    }
    load(QStringLiteral("tasuki_") + m_current, own);
}

void Languages::load(const QString& name, const QString& directory)
{
    auto translator = std::make_unique<QTranslator>();
    if (!translator->load(name, directory))
        return;
    QCoreApplication::installTranslator(translator.get());
    m_translators.push_back(std::move(translator));
}

} // namespace tasuki
