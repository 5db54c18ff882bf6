// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace tasuki {

/// Words in lines that are not too long to read, and with room for all of them: a layout asks for
/// the height at the width that it has, which may be more than the words take.
class Explanation : public QLabel {
    Q_OBJECT

public:
    explicit Explanation(const QString& text, QWidget* parent = nullptr);

    [[nodiscard]] int heightForWidth(int width) const override;
};

} // namespace tasuki
