// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentrules.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace tasuki::architecture {
namespace {

namespace fs = std::filesystem;

constexpr const char* architecture = "ARCHITECTURE.md";
constexpr const char* contributing = "CONTRIBUTING.md";
constexpr const char* packageList = "packaging/packages-debian";
constexpr const char* readme = "README.md";
constexpr std::size_t architectureLines = 300;
constexpr std::size_t readmeLines = 250;
constexpr std::uintmax_t readmeBytes = 14000;

constexpr std::array roots{"", "shared", "agent", "gui", "tests"};
/// Where a build puts what it makes.
constexpr std::string_view buildFolder = "build/";
/// Programs of the build that the documents call by their names there.
constexpr std::array madeFiles{"tests/endurance/killresume"};

const QRegularExpression& quoted()
{
    static const QRegularExpression pattern{"`([^`]+)`"};
    return pattern;
}

std::string escaped(const std::string& text)
{
    return QRegularExpression::escape(QString::fromStdString(text)).toStdString();
}

bool hasMatch(const std::string& text, const std::string& pattern)
{
    const QRegularExpression expression{QString::fromStdString(pattern)};
    return expression.match(QString::fromStdString(text)).hasMatch();
}

/// A definition as clang-format lays it out: that of a member outside of its class, or of a free
/// function, is not indented; inside a class it is, by one step.
bool defines(const fs::path& file, const std::string& function)
{
    const bool isMember = function.find("::") != std::string::npos;
    const std::string begin = isMember ? R"(^(?=\w)(?:.*[ *&])?)" : R"(^ {0,4}[A-Za-z].*[ *&])";
    const std::string pattern = begin + escaped(function) + R"(\((?:[^;]*$|.*\{))";
    const std::vector<std::string> lines = linesOf(file);
    return std::any_of(lines.begin(), lines.end(),
                       [&pattern](const std::string& line) { return hasMatch(line, pattern); });
}

/// @return the text of a file in one line: broken comments and paragraphs are joined
std::string joined(const fs::path& file)
{
    std::string text;
    static const QRegularExpression mark{R"(^\s*(?:///?<?|#|\*)?\s*)"};
    for (const std::string& line : linesOf(file)) {
        const auto begin = mark.match(QString::fromStdString(line)).captured().toStdString().size();
        text += line.substr(begin) + ' ';
    }
    return text;
}

class Checker {
public:
    explicit Checker(fs::path root) : m_root(std::move(root))
    {
        static const QRegularExpression word{R"(([A-Za-z_]\w*))"};
        for (const fs::path& file : checkedFiles(m_root)) {
            m_names.insert(file.filename().string());
            for (const std::string& line : linesOf(m_root / file)) {
                if (const auto include = includeOf(line))
                    m_names.insert(include->name); // of a library, or made by the build
                for (std::string& each : capturesIn(line, word))
                    m_words.insert(std::move(each));
            }
        }
        for (const std::string& line : linesOf(m_root / packageList))
            m_words.insert(line.substr(0, line.find(' ')));
        for (const fs::path& file : documents(m_root))
            m_names.insert(file.filename().string());
    }

    void checkAll()
    {
        for (const fs::path& file : documents(m_root)) {
            checkLength(file, architecture, architectureLines);
            checkNames(file);
            checkLinks(file);
            checkSections(file);
        }
        for (const fs::path& file : userDocuments(m_root)) {
            checkLength(file, readme, readmeLines);
            checkLinks(file);
            checkSections(file);
        }
        checkReadmeBytes();
        for (const fs::path& file : checkedFiles(m_root))
            checkSections(file);
        checkPackages();
    }

    [[nodiscard]] std::vector<Violation> take() && { return std::move(m_violations); }

private:
    void report(std::size_t line, std::string rule, std::string what)
    {
        m_violations.push_back({m_file.generic_string(), line, std::move(rule), std::move(what)});
    }

    void checkLength(const fs::path& file, const char* limited, std::size_t limit)
    {
        m_file = file;
        if (file != limited)
            return;
        if (const std::size_t count = linesOf(m_root / file).size(); count > limit)
            report(0, "length", std::to_string(count) + " lines");
    }

    void checkReadmeBytes()
    {
        m_file = readme;
        if (!fs::is_regular_file(m_root / m_file))
            return;
        if (const std::uintmax_t size = fs::file_size(m_root / m_file); size > readmeBytes)
            report(0, "length", std::to_string(size) + " bytes");
    }

    /// Calls visit(number, line) for each line that is in no block.
    template <typename Visit>
    void forTextOf(const fs::path& file, const Visit& visit)
    {
        m_file = file;
        bool fenced = false;
        std::size_t number = 0;
        for (const std::string& line : linesOf(m_root / file)) {
            ++number;
            fenced = line.starts_with("```") != fenced;
            if (!fenced)
                visit(number, line);
        }
    }

    void checkNames(const fs::path& file)
    {
        forTextOf(file, [this](std::size_t number, const std::string& line) {
            for (const std::string& each : capturesIn(line, quoted()))
                checkQuoted(number, each);
        });
    }

    void checkLinks(const fs::path& file)
    {
        static const QRegularExpression target{R"(\]\(([^)#:]+)(?:#[^)]*)?\))"};
        forTextOf(file, [this](std::size_t number, const std::string& line) {
            for (const std::string& each : capturesIn(line, target)) {
                if (!fs::exists((m_root / m_file).parent_path() / each))
                    report(number, "link", each);
            }
        });
    }

    void checkQuoted(std::size_t line, const std::string& text)
    {
        if (matches(text, R"([\w/.-]+\.(cpp|h|c):[\w~:]+)")) {
            const std::size_t colon = text.find(':');
            const fs::path file = m_root / text.substr(0, colon);
            if (!fs::is_regular_file(file) || !defines(file, text.substr(colon + 1)))
                report(line, "function", text);
        } else if (const std::string path = text.substr(0, text.find(' ')); looksLikePath(path)) {
            if (!exists(path))
                report(line, "path", path);
        } else if (matches(text, R"([A-Za-z_]\w*(::~?[A-Za-z_]\w*)*(\(\))?)")) {
            static const QRegularExpression word{R"((\w+))"};
            for (const std::string& each : capturesIn(text, word)) {
                if (!m_words.contains(each))
                    report(line, "word", text);
            }
        }
    }

    /// A file by its extension, or what begins with a folder that the tree has.
    [[nodiscard]] bool looksLikePath(const std::string& text) const
    {
        if (text.starts_with(buildFolder))
            return false;
        if (matches(text, R"([\w.-]+\.(cpp|h|c|md|proto|cmake))"))
            return true;
        const std::size_t slash = text.find('/');
        return matches(text, R"([\w./-]+)") && slash != std::string::npos && slash > 0
            && std::any_of(roots.begin(), roots.end(), [&](const char* folder) {
                   return fs::is_directory(m_root / folder / text.substr(0, slash));
               });
    }

    [[nodiscard]] bool exists(const std::string& path) const
    {
        if (std::find(madeFiles.begin(), madeFiles.end(), path) != madeFiles.end())
            return true;
        if (fs::exists((m_root / m_file).parent_path() / path))
            return true;
        if (path.find('/') == std::string::npos)
            return m_names.contains(path);
        return std::any_of(roots.begin(), roots.end(), [&](const char* folder) {
            const fs::path named = m_root / folder / path;
            return fs::exists(named) || fs::exists(named.string() + ".h"); // a pair without endings
        });
    }

    void checkSections(const fs::path& file)
    {
        static const QRegularExpression reference{R"re((\w+\.md\)?, "[^"]+"))re"};
        m_file = file;
        for (const std::string& each : capturesIn(joined(m_root / file), reference)) {
            const std::string name = each.substr(0, each.find(".md") + 3);
            const std::size_t begin = each.find('"') + 1;
            if (!headingsOf(name).contains(each.substr(begin, each.size() - begin - 1)))
                report(0, "section", each);
        }
    }

    const std::set<std::string>& headingsOf(const std::string& document)
    {
        const auto [place, isNew] = m_headings.try_emplace(document);
        if (!isNew)
            return place->second;
        for (const fs::path& file : documents(m_root)) {
            if (file.filename() != document || file.filename() == readme)
                continue;
            for (const std::string& line : linesOf(m_root / file)) {
                if (matches(line, "#+ .*"))
                    place->second.insert(line.substr(line.find(' ') + 1));
            }
        }
        return place->second;
    }

    void checkPackages()
    {
        m_file = architecture;
        std::set<std::string> named;
        for (const std::string& line : linesOf(m_root / architecture)) {
            const std::vector<std::string> found = capturesIn(line, quoted());
            named.insert(found.begin(), found.end());
        }
        for (const std::string& line : linesOf(m_root / packageList)) {
            const std::string package = line.substr(0, line.find(' '));
            if (matches(package, "[a-z0-9][a-z0-9+.-]*") && !named.contains(package))
                report(0, "package", package);
        }
    }

    fs::path m_root;
    fs::path m_file;
    std::set<std::string> m_words; ///< of all sources, and packages
    std::set<std::string> m_names; ///< of all files, and of headers of libraries
    std::map<std::string, std::set<std::string>> m_headings;
    std::vector<Violation> m_violations;
};

void addFile(const fs::path& root, const fs::path& file, std::vector<fs::path>& files)
{
    if (fs::is_regular_file(root / file))
        files.push_back(file);
}

/// The documents of a folder, not of those in it.
void addMarkdown(const fs::path& root, const fs::path& folder, std::vector<fs::path>& files)
{
    if (!fs::is_directory(root / folder))
        return;
    for (const auto& entry : fs::directory_iterator{root / folder}) {
        if (entry.path().extension() == ".md")
            files.push_back(entry.path().lexically_relative(root));
    }
}

} // namespace

std::vector<fs::path> documents(const fs::path& root)
{
    std::vector<fs::path> files;
    for (const char* file : {architecture, contributing})
        addFile(root, file, files);
    addMarkdown(root, "docs", files);
    for (const std::string& folder : layerFolders(root))
        addFile(root, fs::path(folder) / readme, files);
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> userDocuments(const fs::path& root)
{
    std::vector<fs::path> files;
    addFile(root, readme, files);
    addMarkdown(root, "docs/guide", files);
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Violation> checkDocuments(const fs::path& root)
{
    Checker checker{root};
    checker.checkAll();
    return std::move(checker).take();
}

} // namespace tasuki::architecture
