import { createKeystore } from '@lanyard/signers'
import { generatePrivateKey } from 'viem/accounts'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { type CliEnv, readCliEnv } from '../../../platform/environment/env.ts'
import { requirePassphrase } from '../../../platform/keys/key-opener.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

interface CreateOptions {
  readonly import?: boolean
  readonly json?: boolean
}

/** `lanyard keystore create`: nobody sees the key. */
export async function createKeystoreFile(path: string, options: CreateOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const passphrase = await requirePassphrase(env)
  const privateKey = options.import ? requireImported(env) : generatePrivateKey()
  const address = await createKeystore({ path, privateKey, passphrase })
  const output = createOutput(options)
  output.say(address)
  output.say(
    `${path} holds its key. Without the file and its passphrase the key is lost: keep copies of both.`,
  )
  output.finish({ address, path })
}

function requireImported({ IMPORT_PRIVATE_KEY }: CliEnv): `0x${string}` {
  if (IMPORT_PRIVATE_KEY?.kind === 'inline') return IMPORT_PRIVATE_KEY.privateKey
  throw new ConfigurationError('The environment', [
    'IMPORT_PRIVATE_KEY: needed with --import, 0x and 64 hex digits',
  ])
}
