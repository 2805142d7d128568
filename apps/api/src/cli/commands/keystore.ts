import type { Command } from 'commander'
import type { showKeystoreAddress } from './keystore-address.ts'
import type { createKeystoreFile } from './keystore-create.ts'

const environment = `
Environment: KEYSTORE_PASSPHRASE_FILE (or KEYSTORE_PASSPHRASE); with --import, IMPORT_PRIVATE_KEY.`

/** `lanyard keystore create|address`. */
export function addKeystore(program: Command): void {
  const keystore = program
    .command('keystore')
    .description("the operator's keys in encrypted files, for variables such as OPERATOR_PRIVATE_KEY")
  const withFile = (command: Command) =>
    command
      .argument('<file>', 'Web3 Secret Storage, version 3')
      .option('--json', 'print one JSON document instead of text')
      .addHelpText('after', environment)
  withFile(keystore.command('create').description('make a key, encrypt it, and show its address'))
    .option('--import', 'encrypt the key in IMPORT_PRIVATE_KEY instead of a new one')
    .action(async (...given: Parameters<typeof createKeystoreFile>) =>
      (await import('./keystore-create.ts')).createKeystoreFile(...given),
    )
  withFile(
    keystore.command('address').description('show its address, and that the passphrase is right'),
  ).action(async (...given: Parameters<typeof showKeystoreAddress>) =>
    (await import('./keystore-address.ts')).showKeystoreAddress(...given),
  )
}
