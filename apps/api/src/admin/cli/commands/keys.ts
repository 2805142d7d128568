import { type KeyScope, keyScopes } from '@lanyard/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { createKey as createKeyAct, problemOfKey, revokeKey as revokeKeyAct } from '../../../acts/keys.ts'
import type { ApiKey } from '../../../domain/accounts/api-keys/api-key.ts'
import { isKeyOrigin, keyOriginForm } from '../../../domain/accounts/api-keys/key-origin.ts'
import { listApiKeys } from '../../../domain/accounts/api-keys/manage-api-keys.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'

const about = 'Changes take effect on every replica within seconds.'

/** `lanyard keys create|list|revoke`. */
export function addKeys(group: Command): void {
  const keys = group
  const create = withJson(keys.command('create').description('make a key and show it once'))
    .argument(
      '<name>',
      'name of the caller; keys with the same name share limits and Idempotency-Keys',
      parseName,
    )
    .addOption(
      new Option('--kind <kind>', 'secret for servers, publishable for pages and apps')
        .choices(['secret', 'publishable'])
        .default('secret'),
    )
    .addOption(
      new Option('--scope <scope>', 'what the key may be used for').choices([...keyScopes]).default('full'),
    )
    .option('--project <name>', 'keys of a project share their limits', parseName)
    .option(
      '--origin <origin>',
      'a page that may use a publishable key, or an app as app:<bundle or package>; may be repeated',
      collectOrigins,
    )
  withManual(create, {
    about: `${about}
Scopes: read for what changes nothing, support for what a support desk needs of that, metrics for /metrics alone.`,
    environment: ofPreparedDatabase,
    examples: [
      'keys create server',
      'keys create prometheus --scope metrics',
      'keys create helpdesk --scope support --project shop',
      'keys create shop --kind publishable --origin https://shop.example',
      'keys create phones --kind publishable --origin app:com.example.wallet',
    ],
  }).action((...given: Parameters<typeof createKey>) => createKey(...given))
  const list = withJson(keys.command('list').description('list every key by its id')).option(
    '--project <name>',
    'only its keys',
    parseName,
  )
  withManual(list, {
    about: 'Lists ids, never keys. It leaves out the keys of API_KEYS.',
    environment: ofPreparedDatabase,
    examples: ['keys list --json'],
  }).action((...given: Parameters<typeof listKeys>) => listKeys(...given))
  const revoke = withJson(keys.command('revoke').description('revoke a key forever')).argument(
    '<id>',
    'lk_secret_… or lk_public_… and eight characters, as `keys list` shows it',
  )
  withManual(revoke, {
    about,
    environment: ofPreparedDatabase,
    examples: ['keys revoke lk_secret_4pXkQz8A'],
  }).action((...given: Parameters<typeof revokeKey>) => revokeKey(...given))
}

/**
 * A name contains no colon: callers with a publishable key get a prefix with a colon, so they are never
 * mistaken for those with a secret key.
 */
function parseName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, ".", "_" and "-", at most 64.')
}

function collectOrigins(text: string, earlier: readonly string[] = []): readonly string[] {
  if (isKeyOrigin(text)) return [...new Set([...earlier, text])]
  throw new InvalidArgumentError(keyOriginForm)
}

interface CreateOptions {
  readonly kind: ApiKey['kind']
  readonly scope: KeyScope
  readonly project?: string
  readonly origin?: readonly string[]
  readonly json?: boolean
}

/** `lanyard keys create`: the only time that the key is shown. */
async function createKey(name: string, options: CreateOptions): Promise<void> {
  const { kind, scope, project, origin: origins = [], json } = options
  const given = { kind, name, origins, scope, project }
  const problem = problemOfKey(given)
  if (problem) throw new CliError(problem.member, `--${problem.member.toLowerCase()}: ${problem.text}`)
  await using database = await openCliDatabase()
  const { id, key } = await runCliAct(database, (act) => createKeyAct(act, given))
  const output = createOutput({ json })
  output.say(key)
  output.say('')
  output.say(`This ${kind} key of ${name} is shown only once. Its id is ${id}.`)
  output.finish({ id, key, ...given })
}

/** `lanyard keys list`: shows ids, never keys. Keys of API_KEYS are not listed. */
async function listKeys({
  project: only,
  json,
}: {
  readonly project?: string
  readonly json?: boolean
}): Promise<void> {
  await using database = await openCliDatabase()
  const all = await listApiKeys(database.db)
  const keys = only === undefined ? all : all.filter(({ project }) => project === only)
  const output = createOutput({ json })
  for (const { id, kind, name, origins, scope, project, created_at, revoked_at } of keys) {
    const state = revoked_at ? `revoked ${revoked_at.toISOString()}` : `since ${created_at.toISOString()}`
    const of = project === null ? [] : [`project ${project}`]
    output.say([id, kind.padEnd(11), scope.padEnd(7), name, ...of, state, ...origins].join('  '))
  }
  if (keys.length === 0) output.say('There is no key yet.')
  output.finish({
    keys: keys.map(({ id, kind, name, origins, scope, project, created_at, revoked_at }) => ({
      id,
      kind,
      name,
      origins,
      scope,
      project,
      createdAt: created_at,
      revokedAt: revoked_at,
    })),
  })
}

/** `lanyard keys revoke`. */
async function revokeKey(id: string, { json }: { readonly json?: boolean }): Promise<void> {
  await using database = await openCliDatabase()
  // The message does not repeat the argument, because it may be the whole key.
  const revoked = await runCliAct(database, (act) => revokeKeyAct(act, id))
  if (!revoked) {
    throw new CliError('UNKNOWN_KEY', 'No valid key has this id. `lanyard keys list` shows them.')
  }
  const { name, disabledWebhooks: webhooks } = revoked
  const output = createOutput({ json })
  output.say(`${id} stops working within seconds.`)
  if (webhooks.length > 0)
    output.say(`It was the last key of ${name}. Disabled webhooks: ${webhooks.join(', ')}.`)
  output.finish({ id, revoked: true, disabledWebhooks: webhooks })
}
