#include "manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "lookback/version.hpp"

namespace lookback::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

// Such as -o, --output. A positional argument has none.
std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& n : option.get_snames()) names.push_back("-" + n);
    for (const std::string& n : option.get_lnames()) names.push_back("--" + n);
    return names;
}
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string replaced(std::string_view text, std::string_view special, std::string_view before) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != special.npos) result += before;
        result += c;
    }
    return result;
}

// Text for troff: no line of the text may begin with a dot or a quote.
std::string roff(std::string_view text) {
    std::string result;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\') {
            result += "\\e";
        } else {
            if (c == '-') result += '\\';
            result += c;
        }
        begins = c == '\n';
    }
    return result;
}

std::string man_page(const CLI::App& app) {
    std::string page = fmt::format(
        ".TH LOOKBACK 1 \"\" \"lookback {}\" \"User Commands\"\n.SH NAME\nlookback \\- {}\n"
        ".SH SYNOPSIS\n.B lookback\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH "
        "DESCRIPTION\n.nf\n{}\n.fi\n"
        ".SH COMMANDS\n",
        version, roff(app.get_description()), roff(app.get_footer()));
    for (const CLI::App* command : commands_of(app)) {
        page += fmt::format(".SS lookback {}\n{}.\n", roff(command->get_name()),
                            roff(command->get_description()));
        for (const CLI::Option* option : command->get_options()) {
            const auto names = names_of(*option);
            const std::string value = takes_value(*option) ? option->get_type_name() : "";
            page += fmt::format(".TP\n\\fB{}\\fR {}\n{}\n",
                                roff(names.empty() ? option->get_name(true)
                                                   : fmt::format("{}", fmt::join(names, ", "))),
                                names.empty() ? "" : "\\fI" + roff(value) + "\\fR",
                                roff(option->get_description()));
        }
        page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command->get_footer()));
    }
    return page;
}

// Calls `f` with the name of each command and its options.
std::string for_commands(
    const CLI::App& app,
    const std::function<std::string(const std::string&, const std::vector<const CLI::Option*>&)>&
        f) {
    std::string lines;
    for (const CLI::App* command : commands_of(app)) {
        lines += f(command->get_name(), command->get_options());
    }
    return lines;
}

std::string bash_completion(const CLI::App& app) {
    std::vector<std::string> names;
    const std::string cases = for_commands(app, [&](const auto& name, const auto& options) {
        names.push_back(name);
        std::vector<std::string> words;
        for (const CLI::Option* option : options) {
            for (const std::string& n : names_of(*option)) words.push_back(n);
        }
        return fmt::format("        {}) words=\"{}\" ;;\n", name, fmt::join(words, " "));
    });
    return fmt::format(
        R"(_lookback() {{
    local now=${{COMP_WORDS[COMP_CWORD]}} words=
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "{} --help --version" -- "$now"))
        return
    fi
    case ${{COMP_WORDS[COMP_CWORD - 1]}} in
        --op) words="sum product min max and or xor mean count first last" ;;
        --device) words="auto cpu cuda" ;;
        --dtype | --out-dtype | --key-dtype)
            words="bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64" ;;
        --border) words="clamp zero reflect" ;;
    esac
    if [[ $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$now"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{}    esac
    if [[ $now == -?* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$now"))
    else
        COMPREPLY=($(compgen -f -- "$now"))
    fi
}}
complete -o filenames -F _lookback lookback
)",
        fmt::join(names, " "), cases);
}

std::string zsh_completion(const CLI::App& app) {
    // For single quotes, in which brackets and colons have a meaning.
    const auto shown = [](std::string_view text) {
        std::string result;
        for (const char c : replaced(text, "[]:\\", "\\")) {
            result += c == '\'' ? "'\\''" : std::string(1, c);
        }
        return result;
    };
    std::string names;
    for (const CLI::App* command : commands_of(app)) {
        names += fmt::format("        '{}:{}'\n", command->get_name(),
                             shown(command->get_description()));
    }
    const std::string cases = for_commands(app, [&](const auto& name, const auto& options) {
        std::string lines;
        for (const CLI::Option* option : options) {
            for (const std::string& n : names_of(*option)) {
                lines += fmt::format(
                    " \\\n            '{}[{}]{}'", n, shown(option->get_description()),
                    takes_value(*option) ? ":" + shown(option->get_type_name()) + ":_files" : "");
            }
        }
        return fmt::format("        {}) _arguments '*:file:_files'{} ;;\n", name, lines);
    });
    return fmt::format(R"(#compdef lookback
_lookback() {{
    local -a commands=(
{}    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
{}    esac
}}
_lookback "$@"
)",
                       names, cases);
}

}  // namespace

std::string make_manual(const std::string& kind, const CLI::App& app) {
    if (kind == "man") return man_page(app);
    if (kind == "bash") return bash_completion(app);
    if (kind == "zsh") return zsh_completion(app);
    fail("KIND {}: expected man, bash or zsh", kind);
}

}  // namespace lookback::cli
