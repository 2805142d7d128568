import { eventTypes } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Kysely } from 'kysely'
import { type Address, getAddress } from 'viem'
import { disableWebhook, enableWebhook, redeliverWebhook, removeWebhook } from '../../../acts/webhooks.ts'
import { isSecretKeyName } from '../../../domain/accounts/api-keys/manage-api-keys.ts'
import { parseEventId, toEventId } from '../../../domain/events/webhooks/event-id.ts'
import { postWebhook } from '../../../domain/events/webhooks/post-webhook.ts'
import { listDeliveries } from '../../../domain/events/webhooks/webhook-deliveries.ts'
import {
  createWebhookEndpoint,
  listWebhookEndpoints,
  reencryptWebhookSecrets,
  rotateWebhookSecret,
} from '../../../domain/events/webhooks/webhook-endpoints.ts'
import {
  deriveEncryptionKeys,
  signWebhook,
  unreadable,
} from '../../../domain/events/webhooks/webhook-secrets.ts'
import { TargetRejected } from '../../../domain/events/webhooks/webhook-target.ts'
import { testEvent } from '../../../domain/events/webhooks/webhook-tests.ts'
import { counted } from '../../../platform/counted.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { toBlockList } from '../../../platform/environment/private-range.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { openNetworks } from '../open-network.ts'
import { collectAddresses, withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

const environment = {
  ...ofPreparedDatabase,
  NETWORKS_FILE: 'absent, or with only local networks: private addresses and http are accepted',
}

const ofSecrets = {
  ...environment,
  WEBHOOK_PRIVATE_RANGES: 'private ranges that webhooks may reach',
  TOKEN_KEY: "the service's key, which encrypts secrets in the database; needed if a network is not local",
}

const id = 'whe_… as `webhooks list` shows it'

/** `lanyard webhooks add|list|rotate|test|deliveries|redeliver|enable|disable|remove`. */
export function addWebhooks(webhooks: Command): void {
  const add = withJson(webhooks.command('add').description('send events to an address, from now on'))
    .argument('<url>', 'https:// and a public internet host')
    .requiredOption(
      '--key <name>',
      'the secret API key that it belongs to; it is disabled with that key',
      parseKeyName,
    )
    .option('--type <type>', 'operation.final, operation.*; may be repeated. Absent: all', collectTypes)
    .option('--account <address>', 'only its events; may be repeated. Absent: all', collectAddresses)
  withManual(add, {
    about:
      'Shows the signing secret only once. docs/events.md describes the events, and how to check signatures.',
    environment: ofSecrets,
    examples: ['webhooks add https://shop.example/hook --key server --type operation.* --type order.settled'],
  }).action((...given: Parameters<typeof addEndpoint>) => addEndpoint(...given))

  withManual(withJson(webhooks.command('list').description('list every endpoint, and what waits for it')), {
    environment,
    examples: ['webhooks list --json'],
  }).action((...given: Parameters<typeof list>) => list(...given))

  const rotate = withJson(webhooks.command('rotate').description('make a new secret')).argument('<id>', id)
  withManual(rotate, {
    about: 'The old secret also signs for one more day.',
    environment: ofSecrets,
    examples: ['webhooks rotate whe_4pXkQz8Aab1Z'],
  }).action((...given: Parameters<typeof rotateSecret>) => rotateSecret(...given))

  const reencrypt = withJson(
    webhooks.command('reencrypt').description('encrypt all secrets with the first key of TOKEN_KEY'),
  )
  withManual(reencrypt, {
    about: `
Run it after a new key was put first in TOKEN_KEY, and before the old one is removed. The secrets stay the same, so receivers
notice nothing. docs/keys.md describes the whole rotation.`,
    environment: ofSecrets,
    endings: { failed: 'no key of TOKEN_KEY decrypts some secrets; `webhooks rotate` replaces them' },
    examples: ['webhooks reencrypt'],
  }).action((...given: Parameters<typeof reencryptAll>) => reencryptAll(...given))

  const test = withJson(webhooks.command('test').description('send a test event now')).argument('<id>', id)
  withManual(test, {
    about: 'Its type is webhook.test. The answer is shown, but not recorded.',
    environment: ofSecrets,
    endings: { failed: 'the endpoint did not answer with 2xx' },
    examples: ['webhooks test whe_4pXkQz8Aab1Z'],
  }).action((...given: Parameters<typeof sendTest>) => sendTest(...given))

  const deliveries = withJson(
    webhooks.command('deliveries').description('list what was sent and answered, newest first'),
  )
    .argument('<id>', id)
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'missed']))
    .option('--limit <count>', 'how many', parseLimit, 25)
  withManual(deliveries, {
    about: 'Deliveries are kept for 30 days.',
    environment,
    examples: ['webhooks deliveries whe_4pXkQz8Aab1Z --state missed'],
  }).action((...given: Parameters<typeof listSent>) => listSent(...given))

  const again = withJson(webhooks.command('redeliver').description('send missed events again, or one event'))
    .argument('<id>', id)
    .option('--event <id>', 'evt_…, in any state. Absent: everything that was missed', parseEvent)
  withManual(again, {
    about: 'Later events of the same account wait until then.',
    environment,
    examples: ['webhooks redeliver whe_4pXkQz8Aab1Z', 'webhooks redeliver whe_4pXkQz8Aab1Z --event evt_1234'],
  }).action((...given: Parameters<typeof sendAgain>) => sendAgain(...given))

  for (const [name, description, run] of [
    ['enable', 'send again to an endpoint that was disabled; use `redeliver` for what it missed', enable],
    ['disable', 'send nothing more to an endpoint; its events are missed', disable],
    ['remove', 'forget an endpoint and its deliveries', remove],
  ] as const) {
    const command = withJson(webhooks.command(name).description(description)).argument('<id>', id)
    withManual(command, { environment, examples: [`webhooks ${name} whe_4pXkQz8Aab1Z`] }).action(
      (...given: Parameters<typeof enable>) => run(...given),
    )
  }
}

/**
 * A key name as in API_KEYS or `keys create`. Names of publishable keys contain a colon, and these keys have
 * no webhooks.
 */
function parseKeyName(text: string): string {
  if (/^[^:,\s]+$/.test(text)) return text
  throw new InvalidArgumentError('Expected the name of a secret key from `lanyard keys list` or API_KEYS.')
}

function collectTypes(text: string, earlier: readonly string[] = []): readonly string[] {
  const nouns = eventTypes.map((type) => `${type.split('.')[0]}.*`)
  if ([...eventTypes, ...nouns].some((known) => known === text)) return [...new Set([...earlier, text])]
  throw new InvalidArgumentError(
    `Expected one of ${[...new Set(nouns)].join(', ')}, ${eventTypes.join(', ')}.`,
  )
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number from 1 to 9999.')
}

function parseEvent(text: string): number {
  const position = parseEventId(text)
  if (position !== undefined) return position
  throw new InvalidArgumentError('Expected evt_ and a number, as in the header webhook-id.')
}

interface Json {
  readonly json?: boolean
}

/** Whether webhooks may reach private addresses, and the key that encrypts secrets in the database. */
async function readPolicy() {
  const env = readCliEnv(terminal().env)
  const keys = deriveEncryptionKeys(env.TOKEN_KEY)
  if (env.NETWORKS_FILE === undefined) return { isLocal: true, ...keys }
  const networks = await openNetworks(env)
  const isLocal = networks.list().every(({ config }) => config.local)
  return { isLocal, privateRanges: toBlockList(env.WEBHOOK_PRIVATE_RANGES), ...keys }
}

/** @throws CliError if a secret that receivers on a real network trust would be stored in plain text */
async function readStoringPolicy() {
  const policy = await readPolicy()
  if (policy.encryptionKey) return policy
  if (policy.isLocal) {
    terminal().stderr('TOKEN_KEY is not set: the database stores the secret unencrypted.\n')
    return policy
  }
  throw noTokenKey()
}

const noTokenKey = () =>
  new CliError(
    'NO_TOKEN_KEY',
    "TOKEN_KEY: needed, the same as the service's, to encrypt the secret in the database.",
  )

async function requireEndpoint(database: Kysely<Database>, id: string) {
  const row = await database
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (row) return row
  throw new CliError('UNKNOWN_WEBHOOK', 'No endpoint has this id. `lanyard webhooks list` shows them.')
}

interface AddOptions extends Json {
  readonly key: string
  readonly type?: readonly string[]
  readonly account?: readonly Address[]
}

async function addEndpoint(url: string, { key, type = [], account = [], json }: AddOptions): Promise<void> {
  const policy = await readStoringPolicy()
  await using database = await openCliDatabase()
  const given = { keyName: key, url, types: type, accounts: account }
  const created = await runCliAct(database, async ({ transaction, now, record }) => {
    const endpoint = await createWebhookEndpoint(transaction, given, { ...policy, now })
    await record({
      ...{ act: 'webhook.add', subject: endpoint.id },
      // The rest of the address may be a secret of its receiver.
      after: { key, host: new URL(url).host, types: type, accounts: account },
    })
    return endpoint
  }).catch((error: unknown) => {
    if (error instanceof TargetRejected) throw new CliError('TARGET_REFUSED', error.message, { cause: error })
    throw error
  })
  const output = createOutput({ json })
  if (!(await isSecretKeyName(database.db, key))) {
    output.progress(`The database has no secret key called ${key}: make sure that API_KEYS names it.`)
  }
  output.say(created.secret)
  output.say('')
  output.say('This secret signs all deliveries, and is shown only once. Send a test event:')
  output.say(`  lanyard webhooks test ${created.id}`)
  output.finish({ ...created, ...given })
}

/** The service itself writes these columns as lists of strings. */
const listOf = (column: unknown) => column as readonly string[]
const addressesOf = (column: unknown) => listOf(column).map((address) => getAddress(address))

async function list({ json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  const endpoints = await listWebhookEndpoints(database.db)
  const output = createOutput({ json })
  for (const row of endpoints) {
    const failing = row.failing_since ? `failing since ${row.failing_since.toISOString()}` : 'enabled'
    const state = row.disabled_at ? `disabled ${row.disabled_reason}` : failing
    const types = listOf(row.types)
    const accounts = addressesOf(row.accounts)
    output.say(
      [
        ...[row.id, row.key_name, row.url, state, `${row.pending} pending`, `${row.missed} missed`],
        types.length > 0 ? types.join(' ') : 'all types',
        accounts.length > 0 ? accounts.join(' ') : 'all accounts',
      ].join('  '),
    )
  }
  if (endpoints.length === 0) output.say('There is no endpoint yet.')
  output.finish({
    webhooks: endpoints.map((row) => ({
      ...{ id: row.id, keyName: row.key_name, url: row.url, types: row.types },
      accounts: addressesOf(row.accounts),
      ...{ createdAt: row.created_at, failingSince: row.failing_since },
      ...{ disabledAt: row.disabled_at, disabledReason: row.disabled_reason },
      ...{ pending: row.pending, missed: row.missed },
    })),
  })
}

async function rotateSecret(id: string, { json }: Json): Promise<void> {
  const { encryptionKey, olderKeys } = await readStoringPolicy()
  await using database = await openCliDatabase()
  const secret = await runCliAct(database, async ({ transaction, now, record }) => {
    await requireEndpoint(transaction, id)
    const rotated = await rotateWebhookSecret(transaction, { id, encryptionKey, olderKeys, now })
    await record({ act: 'webhook.rotate', subject: id })
    return rotated
  })
  const output = createOutput({ json })
  output.say(String(secret))
  output.say('')
  output.say('It signs from now on, and is shown only once. The old secret also signs for one more day.')
  output.finish({ id, secret })
}

async function reencryptAll({ json }: Json): Promise<void> {
  const { encryptionKey, olderKeys } = await readPolicy()
  await using database = await openCliDatabase()
  if (!encryptionKey) throw noTokenKey()
  const result = await runCliAct(database, async ({ transaction, record }) => {
    const { reencrypted, current, unreadable } = await reencryptWebhookSecrets(transaction, {
      encryptionKey,
      olderKeys,
    })
    if (reencrypted.length > 0) await record({ act: 'webhook.reencrypt', after: { endpoints: reencrypted } })
    return { reencrypted, current, unreadable }
  })
  const output = createOutput({ json })
  const { reencrypted, current, unreadable } = result
  output.say(
    `Encrypted with the first key now: ${counted(reencrypted.length, 'endpoint')}; before: ${current.length}.`,
  )
  for (const id of unreadable)
    output.say(`No key decrypts the secret of ${id}: \`lanyard webhooks rotate ${id}\``)
  output.finish({ ...result })
  if (unreadable.length > 0) throw new CommandEnd(exitCodes.failed)
}

async function sendTest(id: string, { json }: Json): Promise<void> {
  const { encryptionKey, olderKeys, ...policy } = await readPolicy()
  await using database = await openCliDatabase()
  const { url, secrets } = await requireEndpoint(database.db, id)
  const now = new Date()
  const event = testEvent(id, now)
  const { body } = event
  const headers = signWebhook(secrets, { ...event, now, owner: { id, encryptionKey, olderKeys } })
  if (!headers) throw new CliError('SECRET_UNREADABLE', unreadable)
  const { status, text } = await postWebhook({ url, headers, body }, policy)
  const output = createOutput({ json })
  if (status === null || status < 200 || status > 299) {
    throw new CliError('WEBHOOK_FAILED', status === null ? text : `It answered ${status}: ${text}`)
  }
  output.say(`It answered ${status}.`)
  output.finish({ id, status, answer: text })
}

interface DeliveriesOptions extends Json {
  readonly state?: 'pending' | 'delivered' | 'missed'
  readonly limit: number
}

async function listSent(id: string, { state, limit, json }: DeliveriesOptions): Promise<void> {
  await using database = await openCliDatabase()
  await requireEndpoint(database.db, id)
  const deliveries = await listDeliveries(database.db, id, { state, limit })
  const output = createOutput({ json })
  for (const row of deliveries) {
    const answered = row.answered_at
      ? `${row.answered_at.toISOString()} ${row.status ?? 'no answer'}`
      : 'not sent yet'
    output.say(
      [
        ...[toEventId(row.position), row.type, getAddress(row.account), row.state],
        ...[`${row.attempts} attempts`, answered],
      ].join('  '),
    )
    if (row.state !== 'delivered' && row.answer) output.say(`  ${row.answer.split('\n')[0]}`)
  }
  if (deliveries.length === 0) output.say('Nothing is recorded.')
  output.finish({
    deliveries: deliveries.map(({ position, account, queued_at, answered_at, ...row }) => ({
      ...{
        event: toEventId(position),
        account: getAddress(account),
        ...row,
        queuedAt: queued_at,
        answeredAt: answered_at,
      },
    })),
  })
}

async function sendAgain(id: string, { event, json }: Json & { readonly event?: number }): Promise<void> {
  await using database = await openCliDatabase()
  const { disabled_at } = await requireEndpoint(database.db, id)
  if (disabled_at) {
    throw new CliError('WEBHOOK_DISABLED', 'The endpoint is disabled. Run `lanyard webhooks enable` first.')
  }
  const count = await runCliAct(database, (act) => redeliverWebhook(act, id, event))
  if (event !== undefined && count === 0) {
    throw new CliError('UNKNOWN_EVENT', 'This endpoint has no such event. Events are kept for 30 days.')
  }
  const output = createOutput({ json })
  output.say(count === 0 ? 'Nothing was missed.' : `Queued again: ${count}.`)
  output.finish({ id, count })
}

async function enable(id: string, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  await requireEndpoint(database.db, id)
  const changed = await runCliAct(database, (act) => enableWebhook(act, id))
  const output = createOutput({ json })
  output.say(changed ? `${id} is enabled.` : `${id} was already enabled.`)
  output.finish({ id, enabled: true })
}

async function disable(id: string, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  await requireEndpoint(database.db, id)
  const changed = await runCliAct(database, (act) => disableWebhook(act, id))
  const output = createOutput({ json })
  output.say(changed ? `${id} is disabled.` : `${id} was already disabled.`)
  output.finish({ id, enabled: false })
}

async function remove(id: string, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  await requireEndpoint(database.db, id)
  await runCliAct(database, (act) => removeWebhook(act, id))
  const output = createOutput({ json })
  output.say(`${id} is removed.`)
  output.finish({ id, removed: true })
}
