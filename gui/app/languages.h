// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

#include <memory>
#include <vector>

namespace tasuki {

/// The texts of the window in the language that was chosen. GUI thread.
class Languages {
public:
    Languages() = default;
    Languages(const Languages&) = delete;
    Languages& operator=(const Languages&) = delete;
    ~Languages();

    /// Makes the application speak a language, and write numbers as it does.
    /// @param language  "en", "ja", or empty: that of the system, English when it is another
    void use(const QString& language);
    [[nodiscard]] const QString& current() const { return m_current; }

private:
    void load(const QString& name, const QString& directory);

    std::vector<std::unique_ptr<QTranslator>> m_translators;
    QString m_current;
};

} // namespace tasuki
