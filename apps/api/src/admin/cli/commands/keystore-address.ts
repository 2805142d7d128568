import { openKeystore } from '@lanyard/signers'
import { privateKeyToAddress } from 'viem/accounts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { requirePassphrase } from '../../../platform/keys/key-opener.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

/** `lanyard keystore address`. */
export async function showKeystoreAddress(path: string, options: { readonly json?: boolean }): Promise<void> {
  const passphrase = await requirePassphrase(readCliEnv(terminal().env))
  const address = privateKeyToAddress(await openKeystore(path, passphrase))
  const output = createOutput(options)
  output.say(address)
  output.finish({ address, path })
}
