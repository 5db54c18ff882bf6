// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkedline.h"

namespace tasuki {

/// A line for one value of a form. It is taken with Return or when the line is left; as long as it
/// is wrong it stays as it is, and Esc brings the value back.
class ValueLine : public CheckedLine {
    Q_OBJECT

public:
    /// @param value  what the line shows while nothing is typed
    /// @param take   gets a text that is right and another than the value
    ValueLine(Check check, std::function<QString()> value, std::function<void(const QString&)> take,
              QWidget* parent = nullptr);

    /// Shows the value, unless another is being typed.
    void renew();
    /// Takes what is typed.
    /// @return false: it is wrong
    bool finish();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    std::function<QString()> m_value;
    std::function<void(const QString&)> m_take;
};

} // namespace tasuki
