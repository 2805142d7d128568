import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { CliError } from './cli-error.ts'
import { terminal } from './terminal.ts'

/**
 * Asks for confirmation before an irreversible action.
 *
 * @param what - the question without its mark, such as `Send 2 transactions`
 * @throws CliError `DECLINED`; ConfigurationError when there is no terminal to ask
 */
export async function confirm(what: string, { yes }: { readonly yes?: boolean | undefined }): Promise<void> {
  if (yes) return
  const { ask } = terminal()
  if (!ask) throw new ConfigurationError('Without --yes this command', ['there is no terminal to ask in'])
  const answer = await ask(`${what}? [y/N] `)
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new CliError('DECLINED', 'Nothing was done.')
}
