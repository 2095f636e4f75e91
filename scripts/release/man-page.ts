import type { Command, OptionDeclaration } from "#cli/define-command.ts"
import { formatOption, formatSynopsis, toSentence } from "#cli/format/format-help.ts"

/** The man page ballast(1) of these commands, in the macros of man(7). */
export function formatManPage(commands: readonly Command[], version: string, date: string): string {
  const head = `.TH BALLAST 1 "${date}" "Ballast ${version}" "User Commands"`
  return [
    head,
    ".SH NAME",
    "ballast \\- keep a treasury balanced across blockchains",
    ".SH SYNOPSIS",
    ".B ballast",
    ".I COMMAND",
    "[\\-\\-config FILE] [\\-\\-json]",
    ".SH DESCRIPTION",
    "The configuration is \\-\\-config FILE, else $BALLAST_CONFIG, else ./ballast.yaml.",
    ".SH COMMANDS",
    ...commands.flatMap(formatCommand),
    ".SH EXIT STATUS",
    "0 ok, 1 refused or not found, 64 usage, 70 bug, 75 try later, 76 uncertain, 78 configuration.",
    "",
  ].join("\n")
}

function formatCommand(command: Command): readonly string[] {
  return [
    `.SS ${toRoff(formatSynopsis(command))}`,
    toRoff(`${toSentence(command.summary)} ${command.details ?? ""}`.trim()),
    ...Object.entries(command.options).flatMap(([name, option]) => formatEntry(name, option)),
  ]
}

function formatEntry(name: string, option: OptionDeclaration): readonly string[] {
  return [".TP", `.B ${toRoff(formatOption(name, option))}`, toRoff(option.summary)]
}

/** A leading dot or quote would be a macro, and a bare hyphen may become another character. */
function toRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1")
}
