/** Takes a smart balance out against the chains alone: see README.md. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { computeAccountAddress } from '@lanyard/accounts'
import { getAddress, type Hex, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ExitNetwork, takeOut } from './take-out.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string' }, account: { type: 'string' } },
})
const [file] = positionals
const { OWNER_KEY, PAYER_KEY = OWNER_KEY } = process.env
if (!file || !OWNER_KEY || !PAYER_KEY) {
  console.error(
    'Usage: OWNER_KEY=0x… [PAYER_KEY=0x…] node exit.ts <networks.json> [--to 0x…] [--account 0x…]',
  )
  process.exit(2)
}

/** @throws TypeError, without repeating the key */
function readKey(name: string, key: string): Hex {
  if (isHex(key) && key.length === 66) return key
  throw new TypeError(`${name} is 0x and 64 hex digits`)
}

const owner = privateKeyToAccount(readKey('OWNER_KEY', OWNER_KEY))
const account = values.account
  ? getAddress(values.account)
  : computeAccountAddress({ kind: 'eoa', address: owner.address })
const options = {
  owner,
  payer: privateKeyToAccount(readKey('PAYER_KEY', PAYER_KEY)),
  account,
  to: values.to ? getAddress(values.to) : account,
}
// The service's own file: its shape is what the service checks at start.
const { networks }: { networks: readonly ExitNetwork[] } = JSON.parse(await readFile(file, 'utf8'))
console.log(`Account ${account}`)
for (const network of networks) {
  try {
    console.log(`${network.chainId} ${network.name}: ${await takeOut(network, options)}`)
  } catch (error) {
    // The other networks do not depend on this one.
    console.error(`${network.chainId} ${network.name}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
