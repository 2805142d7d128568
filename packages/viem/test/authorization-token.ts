import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { startChain } from '@lanyard/accounts/testing'
import { type Address, type Hex, parseAbi } from 'viem'

const require = createRequire(import.meta.url)
const name = 'AuthorizationToken'

/** Only the functions that the tests call; x402 has its own ABI. */
export const authorizationTokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function balanceOf(address) view returns (uint256)',
])

/** Compiles and deploys AuthorizationToken.sol. */
export async function deployAuthorizationToken({
  client,
}: Pick<Awaited<ReturnType<typeof startChain>>, 'client'>): Promise<Address> {
  const solc: { compile(input: string, options: object): string } = require('solc')
  const file = `${name}.sol`
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(new URL(`./${file}`, import.meta.url), 'utf8') } },
    settings: { viaIR: true, outputSelection: { [file]: { [name]: ['evm.bytecode.object'] } } },
  }
  const folder = dirname(require.resolve('@openzeppelin/contracts/package.json'))
  const readImport = (path: string) => ({
    contents: readFileSync(join(folder, path.replace(/^@openzeppelin\/contracts/, '')), 'utf8'),
  })
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const bytecode = contracts?.[file]?.[name]?.evm.bytecode.object
  if (bytecode === undefined) throw new TypeError(JSON.stringify(errors))
  const hash = await client.sendTransaction({ data: `0x${bytecode}` as Hex }) // the compiler's output
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new TypeError('A creation has an address.')
  return contractAddress
}
