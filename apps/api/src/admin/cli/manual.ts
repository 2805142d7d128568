import type { Command } from 'commander'
import type { CliVariables } from '../../platform/environment/cli-variables.ts'
import { type ExitName, exitCodes } from './exit-codes.ts'

/** Variables that a command reads, with their purpose. */
export type VariablesRead = Readonly<Partial<Record<keyof CliVariables, string>>>

/**
 * The information about a command besides its options: it follows the options in `--help`, and the page /docs/cli is
 * generated from it.
 */
export interface Manual {
  /** Paragraphs, in lines of 120 characters. */
  readonly about?: string
  /** Words in the command's output, with their meaning. */
  readonly terms?: Readonly<Record<string, string>>
  readonly environment: VariablesRead
  /**
   * True for a command that opens private keys, which may be `keystore:` or `remote:` ones: {@link
   * keyVariables}.
   */
  readonly opensKeys?: boolean
  /** Exit codes with a special meaning for this command. */
  readonly endings?: Readonly<Partial<Record<ExitName, string>>>
  /** Command lines without the program's name, as a user types them. */
  readonly examples: readonly string[]
}

/** Variables for opening keys that are not in the environment themselves. */
export const keyVariables = [
  'KEYSTORE_PASSPHRASE_FILE',
  'KEYSTORE_PASSPHRASE',
  'SIGNER_URL',
  'SIGNER_TOKEN_FILE',
  'SIGNER_CA_FILE',
  'SIGNER_CERT_FILE',
  'SIGNER_KEY_FILE',
  'SIGNER_TIMEOUT',
  'KMS_ENDPOINT',
] as const satisfies readonly (keyof CliVariables)[]

/** For commands that read the chains. */
export const ofNetworks = { NETWORKS_FILE: 'needed: how to reach the networks' } satisfies VariablesRead

/** For commands on the database; one of the first two is required. */
export const ofDatabase = {
  DATABASE_URL: 'PostgreSQL; needed unless DATA_DIR is set',
  DATA_DIR: 'folder of PGlite, while the service does not run',
} satisfies VariablesRead

const ofAudit = {
  AUDIT_ACTOR: "who runs the command, for the audit log; absent: the system's user name",
} satisfies VariablesRead

/** The same variables, for commands that first migrate the database to this version. */
export const ofPreparedDatabase = {
  ...ofDatabase,
  MIGRATE_ON_START: 'false: the command refuses an older schema instead of migrating it',
  ...ofAudit,
} satisfies VariablesRead

/** For commands whose act is recorded if there is a database to record it in. */
export const ofRecorded = {
  DATABASE_URL: 'PostgreSQL of the service, for the audit log; absent: the act is not recorded',
  ...ofAudit,
} satisfies VariablesRead

/** For commands that send transactions. */
export const ofOwner = {
  ...ofNetworks,
  ...ofRecorded,
  DEPLOYER_PRIVATE_KEY: 'the owner of SmartBalance; needed without --safe, and only for local networks',
} satisfies VariablesRead

const manuals = new WeakMap<Command, Manual>()

/** The manual of a command that performs an action; undefined for a command that only groups others. */
export const manualOf = (command: Command): Manual | undefined => manuals.get(command)

/** Attaches a manual to a command and to its help. */
export function withManual(command: Command, manual: Manual): Command {
  manuals.set(command, manual)
  return command.addHelpText('after', `\n${helpOf(manual)}`)
}

function helpOf({ about, terms, environment, opensKeys, endings, examples }: Manual): string {
  const keys = 'and the variables that open keystore: and remote: keys (docs/keys.md)'
  const parts = [
    about?.trim(),
    terms && inColumns(Object.entries(terms)),
    `Environment:\n${inColumns(Object.entries(environment))}${opensKeys ? `\n  ${keys}` : ''}`,
    endings && `Exit codes:\n${inColumns(endingsOf(endings))}`,
    `Example:\n${examples.map((example) => `  lanyard ${example}`).join('\n')}`,
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

/** The exit codes as numbers, in order. */
export const endingsOf = (endings: NonNullable<Manual['endings']>): [code: string, meaning: string][] =>
  Object.entries(exitCodes).flatMap(([name, code]): [string, string][] => {
    const meaning = endings[name as ExitName] // its own key
    return meaning === undefined ? [] : [[String(code), meaning]]
  })

function inColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`).join('\n')
}
