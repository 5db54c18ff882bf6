// SPDX-License-Identifier: GPL-3.0-or-later
#include "explanation.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr int widestExplanation = 620;

} // namespace

Explanation::Explanation(const QString& text, QWidget* parent) : QLabel(text, parent)
{
    setForegroundRole(QPalette::PlaceholderText);
    setWordWrap(true);
    setMaximumWidth(widestExplanation);
}

int Explanation::heightForWidth(int width) const
{
    return QLabel::heightForWidth(std::min(width, widestExplanation));
}

} // namespace tasuki
