import { createKeystore, openKeystore } from '@lanyard/signers'
import type { Command } from 'commander'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { type CliEnv, readCliEnv } from '../../../platform/environment/env.ts'
import { requirePassphrase } from '../../../platform/keys/key-opener.ts'
import { recordOutsideTransaction } from '../cli-audit.ts'
import { ofRecorded, type VariablesRead, withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

const environment = {
  KEYSTORE_PASSPHRASE_FILE: 'needed: a file with the passphrase',
  KEYSTORE_PASSPHRASE: 'or: the passphrase itself',
} satisfies VariablesRead

/** `lanyard keystore create|address`. */
export function addKeystore(group: Command): void {
  const keystore = group
  const withFile = (command: Command) =>
    withJson(command.argument('<file>', 'Web3 Secret Storage, version 3'))
  const create = withFile(
    keystore.command('create').description('make a key, encrypt it, and show its address'),
  ).option('--import', 'encrypt the key in IMPORT_PRIVATE_KEY instead of a new one')
  withManual(create, {
    about: 'The key is never shown. An existing file is never overwritten.',
    environment: { ...environment, IMPORT_PRIVATE_KEY: 'with --import: 0x and 64 hex digits', ...ofRecorded },
    examples: ['keystore create operator.json'],
  }).action((...given: Parameters<typeof createKeystoreFile>) => createKeystoreFile(...given))
  const address = withFile(
    keystore.command('address').description('show the address of a file, and check its passphrase'),
  )
  withManual(address, { environment, examples: ['keystore address operator.json'] }).action(
    (...given: Parameters<typeof showKeystoreAddress>) => showKeystoreAddress(...given),
  )
}

interface CreateOptions {
  readonly import?: boolean
  readonly json?: boolean
}

/** `lanyard keystore create`: the key is never shown. */
async function createKeystoreFile(path: string, options: CreateOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const passphrase = await requirePassphrase(env)
  const privateKey = options.import ? requireImported(env) : generatePrivateKey()
  const address = await createKeystore({ path, privateKey, passphrase })
  await recordOutsideTransaction({
    act: 'keystore.create',
    subject: address,
    after: { imported: options.import ?? false },
  })
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

/** `lanyard keystore address`. */
async function showKeystoreAddress(path: string, options: { readonly json?: boolean }): Promise<void> {
  const passphrase = await requirePassphrase(readCliEnv(terminal().env))
  const address = privateKeyToAddress(await openKeystore(path, passphrase))
  const output = createOutput(options)
  output.say(address)
  output.finish({ address, path })
}
