import { type Command, InvalidArgumentError, Option } from 'commander'
import type { createKey } from './keys-create.ts'
import type { listKeys } from './keys-list.ts'
import type { revokeKey } from './keys-revoke.ts'

const environment = `
Environment: DATABASE_URL (or DATA_DIR, while the service does not run). What changes holds on every replica within
seconds.`

/** `lanyard keys create|list|revoke`. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('API keys: who may call the service')
  const withJson = (command: Command) =>
    command.option('--json', 'print one JSON document instead of text').addHelpText('after', environment)
  withJson(
    keys
      .command('create')
      .description('make a key and show it, this once')
      .argument('<name>', 'of the caller; keys of one name share limits and Idempotency-Keys', parseName)
      .addOption(
        new Option('--kind <kind>', 'secret for servers, publishable for pages')
          .choices(['secret', 'publishable'])
          .default('secret'),
      )
      .option('--origin <origin>', 'a page that may use a publishable key; repeat it', collectOrigins, []),
  ).action(async (...given: Parameters<typeof createKey>) =>
    (await import('./keys-create.ts')).createKey(...given),
  )
  withJson(keys.command('list').description('every key that was made, by its id')).action(
    async (...given: Parameters<typeof listKeys>) => (await import('./keys-list.ts')).listKeys(...given),
  )
  withJson(
    keys
      .command('revoke')
      .description('end a key for ever')
      .argument('<id>', 'lk_secret_… or lk_public_… and eight characters, as `keys list` shows it'),
  ).action(async (...given: Parameters<typeof revokeKey>) =>
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
