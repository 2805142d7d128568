import { type Command, InvalidArgumentError, Option } from 'commander'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import type { createKey } from './keys-create.ts'
import type { listKeys } from './keys-list.ts'
import type { revokeKey } from './keys-revoke.ts'

const about = 'What changes holds on every replica within seconds.'

/** `lanyard keys create|list|revoke`. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('API keys: who may call the service')
  const create = withJson(keys.command('create').description('make a key and show it, this once'))
    .argument('<name>', 'of the caller; keys of one name share limits and Idempotency-Keys', parseName)
    .addOption(
      new Option('--kind <kind>', 'secret for servers, publishable for pages')
        .choices(['secret', 'publishable'])
        .default('secret'),
    )
    .option('--origin <origin>', 'a page that may use a publishable key; repeat it', collectOrigins, [])
  withManual(create, {
    about,
    environment: ofPreparedDatabase,
    examples: ['keys create server', 'keys create shop --kind publishable --origin https://shop.example'],
  }).action(async (...given: Parameters<typeof createKey>) =>
    (await import('./keys-create.ts')).createKey(...given),
  )
  withManual(withJson(keys.command('list').description('every key that was made, by its id')), {
    about: 'Ids, never keys. Those of API_KEYS are not among them.',
    environment: ofPreparedDatabase,
    examples: ['keys list --json'],
  }).action(async (...given: Parameters<typeof listKeys>) =>
    (await import('./keys-list.ts')).listKeys(...given),
  )
  const revoke = withJson(keys.command('revoke').description('end a key for ever')).argument(
    '<id>',
    'lk_secret_… or lk_public_… and eight characters, as `keys list` shows it',
  )
  withManual(revoke, {
    about,
    environment: ofPreparedDatabase,
    examples: ['keys revoke lk_secret_4pXkQz8A'],
  }).action(async (...given: Parameters<typeof revokeKey>) =>
    (await import('./keys-revoke.ts')).revokeKey(...given),
  )
}

/** No colon: names of publishable keys get one in front, and are never taken for those of secret keys. */
function parseName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, ".", "_" and "-", 64 at most.')
}

function collectOrigins(text: string, earlier: readonly string[]): readonly string[] {
  const isOrigin = URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text
  if (isOrigin) return [...new Set([...earlier, text])]
  throw new InvalidArgumentError('Expected an origin such as https://app.example, without a path.')
}
