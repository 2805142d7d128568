import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Database, findAccount, readSuspensions } from '@lanyard/database'
import { type Command, InvalidArgumentError } from 'commander'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { isHex } from 'viem'
import { resumeSponsorship } from '../../../acts/sponsorships.ts'
import { describeChoice } from '../../../domain/gas-policies/describe-choice.ts'
import { readSpent } from '../../../domain/gas-policies/gas-budgets.ts'
import type { GasPolicy } from '../../../domain/gas-policies/gas-policy.ts'
import { readPoliciesInForce } from '../../../domain/gas-policies/live-policies.ts'
import { type KnownNetwork, readPoliciesFile } from '../../../domain/gas-policies/read-policies-file.ts'
import { evaluateSponsorship } from '../../../domain/gas-policies/require-policy.ts'
import { counted } from '../../../platform/counted.ts'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { readNetworksFile } from '../../../platform/network-configs.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { type NetworkOptions, parseAddress, withJson, withNetwork } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

const ofPolicies = {
  POLICIES_FILE: 'needed: the policies',
  NETWORKS_FILE: 'to check the chain ids that policies name',
} as const

const about = 'docs/gas-policies.md describes the file. The service reads it at start.'

const aboutForce = `${about}
An edit in the console counts instead of the file until somebody discards it. The command reads what is in force, and says
where it comes from.`

/** `lanyard policies check|list|show|explain|suspended|resume`. */
export function addPolicies(group: Command): void {
  const policies = group
  withManual(
    withJson(policies.command('check').description('read the file, not the edits, and name its problems')),
    {
      about,
      environment: ofPolicies,
      examples: ['policies check'],
    },
  ).action((options: JsonOption) => checkPolicies(options))
  withManual(
    withJson(policies.command('list').description('list every policy, with what it has spent and reserved')),
    {
      about: `${aboutForce} Amounts are in wei, for each network and all time.`,
      environment: { ...ofPolicies, ...ofPreparedDatabase },
      examples: ['policies list --json'],
    },
  ).action((options: JsonOption) => listPolicies(options))
  withManual(
    withJson(
      policies.command('show').description('show one policy that is in force, as the service reads it'),
    ).argument('<id>', 'of the policy'),
    {
      about: `${aboutForce} Shows functions as selectors, and only the host of an external paymaster.`,
      environment: { ...ofPolicies, ...ofPreparedDatabase },
      examples: ['policies show shop'],
    },
  ).action((id: string, options: JsonOption) => showPolicy(id, options))
  withManual(
    withNetwork(
      policies.command('explain').description('show which policy would pay, and why the others do not'),
    )
      .requiredOption('--account <address>', 'the smart account', parseAddress)
      .option('--api-key <name>', 'name of the key; public:<name> for a publishable one', '')
      .option('--fee-token <symbol>', 'the token in which the account pays; absent: the service pays')
      .option('--call <to:data>', 'address and call data, in order; may be repeated', collectCalls),
    {
      about: `${aboutForce} Checks conditions, not budgets. \`policies list\` shows what is spent, and
POST /smart-account/transaction/sponsorship of the service compares budgets with the cost of an operation.`,
      environment: { ...ofPolicies, ...ofPreparedDatabase },
      examples: [
        'policies explain --network 8453 --account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --api-key public:shop --call 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913:0xa9059cbb',
      ],
    },
  ).action((options: ExplainOptions) => explainPolicies(options))
  withManual(
    withJson(policies.command('suspended').description('list who gets no sponsorship now, and why')),
    { about: aboutSuspensions, environment: ofPreparedDatabase, examples: ['policies suspended'] },
  ).action((options: JsonOption) => listSuspended(options))
  withManual(
    withJson(policies.command('resume').description('end a suspension at once')).argument(
      '<subject>',
      'as `policies suspended` shows it',
    ),
    {
      about: aboutSuspensions,
      environment: ofPreparedDatabase,
      examples: ['policies resume account:0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    },
  ).action((subject: string, options: JsonOption) => resume(subject, options))
}

const aboutSuspensions =
  'An account and its caller are suspended for a day when others send their sponsored operations, or when these use far less gas than they claimed to need.'

async function listSuspended(options: JsonOption): Promise<void> {
  await using database = await openCliDatabase()
  const suspensions = await readSuspensions(database.db, new Date())
  const output = createOutput(options)
  for (const { network, subject, until, reason } of suspensions)
    output.say(`${subject}  network ${network}  until ${until.toISOString()}  ${reason}`)
  if (suspensions.length === 0) output.say('Nobody is suspended.')
  output.finish({ suspensions })
}

async function resume(subject: string, options: JsonOption): Promise<void> {
  await using database = await openCliDatabase()
  const ended = await runCliAct(database, (act) => resumeSponsorship(act, subject))
  if (ended === 0)
    throw new CliError(
      'NOT_SUSPENDED',
      `${subject} is not suspended. \`lanyard policies suspended\` lists who is.`,
    )
  const output = createOutput(options)
  output.say(`${subject} may be sponsored again.`)
  output.finish({ subject })
}

interface JsonOption {
  readonly json?: boolean
}

interface ExplainOptions extends NetworkOptions {
  readonly account: Address
  readonly apiKey: string
  readonly feeToken?: string
  readonly call?: readonly Call[]
}

function collectCalls(text: string, earlier: readonly Call[] = []): readonly Call[] {
  const [to = '', data = '0x', ...rest] = text.split(':')
  if (rest.length > 0 || !isHex(data) || data.length % 2 === 1) {
    throw new InvalidArgumentError('Expected an address, a colon, and call data in hex.')
  }
  return [...earlier, { to: parseAddress(to), value: 0n, data }]
}

interface PoliciesOfFile {
  readonly file: string
  readonly policies: readonly GasPolicy[]
  /** Undefined without NETWORKS_FILE. */
  readonly networks: readonly KnownNetwork[] | undefined
}

/** @throws ConfigurationError */
async function readFile(): Promise<PoliciesOfFile> {
  const { POLICIES_FILE, NETWORKS_FILE } = readCliEnv(terminal().env)
  if (POLICIES_FILE === undefined) {
    throw new ConfigurationError('The environment', ['POLICIES_FILE: needed, a file with gas policies'])
  }
  const networks = NETWORKS_FILE === undefined ? undefined : await readNetworksFile(NETWORKS_FILE)
  return { file: POLICIES_FILE, policies: await readPoliciesFile(POLICIES_FILE, networks), networks }
}

/** Where the policies in force come from. */
type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'edit'; readonly number: number; readonly editor: string; readonly at: Date }

/** @throws ConfigurationError; CliError if the edit in force does not fit */
async function readInForce(
  database: Kysely<Database>,
): Promise<{ readonly policies: readonly GasPolicy[]; readonly source: Source }> {
  const { file, policies: started, networks } = await readFile()
  const { policies, edit } = await readPoliciesInForce(database, started, networks).catch(
    (error: unknown) => {
      if (!(error instanceof LanyardError)) throw error
      throw new CliError('INVALID_EDIT', `The edit in force does not fit POLICIES_FILE: ${error.message}`)
    },
  )
  return { policies, source: edit ? { kind: 'edit', ...edit } : { kind: 'file', path: file } }
}

const describeSource = (source: Source): string =>
  source.kind === 'file'
    ? `In force: POLICIES_FILE (${source.path})`
    : `In force: edit ${source.number} by ${source.editor} in the console, ${source.at.toISOString()}, instead of POLICIES_FILE`

async function checkPolicies(options: JsonOption): Promise<void> {
  const { policies } = await readFile()
  const output = createOutput(options)
  output.say(
    `${counted(policies.length, 'policy', 'policies')}, no problems: ${policies.map(({ id }) => id).join(', ')}`,
  )
  output.finish({ policies: policies.map(({ id, effect }) => ({ id, effect })) })
}

async function listPolicies(options: JsonOption): Promise<void> {
  await using database = await openCliDatabase()
  const { policies, source } = await readInForce(database.db)
  const output = createOutput(options)
  output.say(describeSource(source))
  const listed = []
  for (const { id, effect, description } of policies) {
    const networks = effect === 'allow' ? await readSpent(database.db, [id]) : []
    output.say([id, effect, ...(description === undefined ? [] : [description])].join('  '))
    for (const { network, spent, reserved, promised, operations } of networks) {
      output.say(
        `  network ${network}  spent ${spent}  reserved ${reserved}  promised ${promised}  operations ${operations}`,
      )
    }
    listed.push({ id, effect, networks: networks.map(({ policy: _, ...rest }) => rest) })
  }
  output.finish({ source, policies: listed })
}

/** Converts values that JSON cannot represent. */
function toPlain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Set) return [...value]
  return key === 'url' && typeof value === 'string' ? new URL(value).host : value
}

async function showPolicy(id: string, options: JsonOption): Promise<void> {
  await using database = await openCliDatabase()
  const { policies, source } = await readInForce(database.db)
  const policy = policies.find((one) => one.id === id)
  if (!policy)
    throw new CliError('UNKNOWN_POLICY', `There is no policy ${id}. \`lanyard policies list\` shows them.`)
  const text = JSON.stringify(policy, toPlain, 2)
  const output = createOutput(options)
  output.say(describeSource(source))
  output.say(text)
  output.finish({ source, policy: JSON.parse(text) })
}

async function explainPolicies({
  network,
  account,
  apiKey,
  feeToken,
  call,
  ...options
}: ExplainOptions): Promise<void> {
  await using database = await openCliDatabase()
  const { policies, source } = await readInForce(database.db)
  await requireAccount(database.db, account)
  const services = { database: database.db, now: () => new Date() }
  const choice = await evaluateSponsorship(services, {
    policies,
    chainId: network,
    address: account,
    caller: apiKey,
    calls: call ?? [],
    feeToken,
  })
  const verdicts = describeChoice(choice)
  const output = createOutput(options)
  output.say(describeSource(source))
  for (const { policy, result, reason } of verdicts) {
    output.say([policy, result.replaceAll('_', ' '), ...(reason === undefined ? [] : [reason])].join('  '))
  }
  const paying = choice.paying?.id ?? null
  const pays = feeToken === undefined ? 'pays' : `takes ${feeToken} for the gas`
  output.say(paying === null ? 'No policy pays.' : `${paying} ${pays}, within its budgets.`)
  output.finish({ source, policy: paying, policies: verdicts })
}

/** A mistyped address would match no user, and the mistake would go unnoticed. */
async function requireAccount(database: Kysely<Database>, account: Address): Promise<void> {
  if (await findAccount(database, account)) return
  throw new CliError('UNKNOWN_ACCOUNT', `${account} is not an account of this service.`)
}
