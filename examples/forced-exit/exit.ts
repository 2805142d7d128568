/** Withdraws a smart balance using only the chains: see README.md. */
import { parseArgs } from 'node:util'
import {
  connectToAny,
  describeError,
  describeMoves,
  eoaSigner,
  type FileNetwork,
  keyPayer,
  moveOut,
  previewMoves,
  readNetworks,
  recoveryKitOf,
} from '@lanyard/recovery'
import { getAddress, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

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
function readKey(name: string, key: string): PrivateKeyAccount {
  if (isHex(key) && key.length === 66) return privateKeyToAccount(key)
  throw new TypeError(`${name} must be 0x and 64 hex digits`)
}

const owner = readKey('OWNER_KEY', OWNER_KEY)
const payer = readKey('PAYER_KEY', PAYER_KEY)
const kit = recoveryKitOf(owner.address, values.account ? getAddress(values.account) : undefined)
const to = values.to ? getAddress(values.to) : kit.account

/** Runs the next step on one network: requests the exit, or finalizes it after the contract's delay. */
async function takeOut(network: FileNetwork): Promise<string> {
  if (!network.smartBalance) return 'has no smart balance'
  const connection = await connectToAny(network, network.rpcUrls)
  const preview = await previewMoves({ connection, kit, network, to, way: 'transaction', onlyDeposit: true })
  if (values.account && !preview.state.deployed) return 'the account is not deployed'
  const hash = await moveOut(preview, eoaSigner(owner), {
    kind: 'transaction',
    payer: keyPayer(connection, payer),
  })
  const done = hash ? [`${describeMoves(preview.possible).join(', ')} in ${hash}`] : []
  const lines = [...done, ...preview.impossible, ...(preview.waiting ? [preview.waiting] : [])]
  return lines.length > 0 ? lines.join('; ') : 'nothing is left'
}

console.log(`Account ${kit.account}`)
for (const network of await readNetworks(file, (name) => process.env[name])) {
  try {
    console.log(`${network.chainId} ${network.name}: ${await takeOut(network)}`)
  } catch (error) {
    // The other networks do not depend on this one.
    console.error(`${network.chainId} ${network.name}: ${describeError(error)}`)
    process.exitCode = 1
  }
}
