import type { Command } from 'commander'
import { type VariablesRead, withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import type { showKeystoreAddress } from './keystore-address.ts'
import type { createKeystoreFile } from './keystore-create.ts'

const environment = {
  KEYSTORE_PASSPHRASE_FILE: 'needed: a file with the passphrase',
  KEYSTORE_PASSPHRASE: 'or the passphrase itself',
} satisfies VariablesRead

/** `lanyard keystore create|address`. */
export function addKeystore(program: Command): void {
  const keystore = program
    .command('keystore')
    .description("the operator's keys in encrypted files, for variables such as OPERATOR_PRIVATE_KEY")
  const withFile = (command: Command) =>
    withJson(command.argument('<file>', 'Web3 Secret Storage, version 3'))
  const create = withFile(
    keystore.command('create').description('make a key, encrypt it, and show its address'),
  ).option('--import', 'encrypt the key in IMPORT_PRIVATE_KEY instead of a new one')
  withManual(create, {
    about: 'Nobody sees the key. A file that is there already is never overwritten.',
    environment: { ...environment, IMPORT_PRIVATE_KEY: 'with --import: 0x and 64 hex digits' },
    examples: ['keystore create operator.json'],
  }).action(async (...given: Parameters<typeof createKeystoreFile>) =>
    (await import('./keystore-create.ts')).createKeystoreFile(...given),
  )
  const address = withFile(
    keystore.command('address').description('show its address, and that the passphrase is right'),
  )
  withManual(address, { environment, examples: ['keystore address operator.json'] }).action(
    async (...given: Parameters<typeof showKeystoreAddress>) =>
      (await import('./keystore-address.ts')).showKeystoreAddress(...given),
  )
}
