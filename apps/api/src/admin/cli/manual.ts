import type { Command } from 'commander'
import type { CliVariables } from '../../platform/environment/cli-variables.ts'
import { type ExitName, exitCodes } from './exit-codes.ts'

/** Variables that a command reads, and what they are to it. */
export type VariablesRead = Readonly<Partial<Record<keyof CliVariables, string>>>

/** What a person has to know of a command besides its options: `--help` ends with it, docs/cli.md is made of it. */
export interface Manual {
  /** Paragraphs, in lines of 120 characters. */
  readonly about?: string
  /** Words that the command says, with what they mean. */
  readonly terms?: Readonly<Record<string, string>>
  readonly environment: VariablesRead
  /** It opens private keys, which may be `keystore:` or `remote:` ones: {@link keyVariables}. */
  readonly opensKeys?: boolean
  /** Exit codes that have a meaning of their own here. */
  readonly endings?: Readonly<Partial<Record<ExitName, string>>>
  /** Command lines without the program's name, as they are typed. */
  readonly examples: readonly string[]
}

/** What opens keys that do not stand in the environment themselves. */
export const keyVariables = [
  'KEYSTORE_PASSPHRASE_FILE',
  'KEYSTORE_PASSPHRASE',
  'SIGNER_URL',
  'SIGNER_TOKEN_FILE',
  'SIGNER_CA_FILE',
  'SIGNER_CERT_FILE',
  'SIGNER_KEY_FILE',
  'SIGNER_TIMEOUT',
] as const satisfies readonly (keyof CliVariables)[]

/** For commands that ask the chains. */
export const ofNetworks = { NETWORKS_FILE: 'needed: how to reach the networks' } satisfies VariablesRead

/** For commands on the database; one of the first two is needed. */
export const ofDatabase = {
  DATABASE_URL: 'PostgreSQL; needed, or DATA_DIR',
  DATA_DIR: 'where PGlite is, while the service does not run',
} satisfies VariablesRead

/** The same, for commands that bring it to this version first. */
export const ofPreparedDatabase = {
  ...ofDatabase,
  MIGRATE_ON_START: 'false: an older schema is left as it is, and refused',
} satisfies VariablesRead

/** For commands that send transactions. */
export const ofOwner = {
  ...ofNetworks,
  DEPLOYER_PRIVATE_KEY: 'needed: the owner of SmartBalance',
} satisfies VariablesRead

const manuals = new WeakMap<Command, Manual>()

/** The manual of a command that does something; undefined for one that only groups others. */
export const manualOf = (command: Command): Manual | undefined => manuals.get(command)

/** Gives a command its manual, and the manual to the command's help. */
export function withManual(command: Command, manual: Manual): Command {
  manuals.set(command, manual)
  return command.addHelpText('after', `\n${helpOf(manual)}`)
}

function helpOf({ about, terms, environment, opensKeys, endings, examples }: Manual): string {
  const keys = 'and what opens keystore: and remote: keys (docs/keys.md)'
  const parts = [
    about?.trim(),
    terms && inColumns(Object.entries(terms)),
    `Environment:\n${inColumns(Object.entries(environment))}${opensKeys ? `\n  ${keys}` : ''}`,
    endings && `Exit codes:\n${inColumns(endingsOf(endings))}`,
    `Example:\n${examples.map((example) => `  lanyard ${example}`).join('\n')}`,
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

/** As numbers, in their order. */
export const endingsOf = (endings: NonNullable<Manual['endings']>): [code: string, meaning: string][] =>
  Object.entries(exitCodes).flatMap(([name, code]): [string, string][] => {
    const meaning = endings[name as ExitName] // its own key
    return meaning === undefined ? [] : [[String(code), meaning]]
  })

function inColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`).join('\n')
}
