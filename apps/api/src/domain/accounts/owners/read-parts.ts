import { accountReads, storedPartReads } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  slice,
  zeroAddress,
} from 'viem'
import { type AnyWallet, isContractAccount } from '../accounts/wallet.ts'

const { modules } = accountReads(zeroAddress)
const { handler, guard } = storedPartReads(zeroAddress)

/**
 * What can act for a deployed account besides its owners, or refuse what it does, in one round trip. It outlives a change of owners.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readParts(network: Network, wallet: AnyWallet) {
  if (!isContractAccount(wallet)) return undefined
  return network.call(async (client) => {
    const ask = (data: Hex) => client.call({ to: wallet.address, data })
    const [code, listed, handled, guarded] = await Promise.all([
      client.getCode({ address: wallet.address }),
      ask(encodeFunctionData(modules)),
      ask(encodeFunctionData(handler)),
      ask(encodeFunctionData(guard)),
    ])
    if (code === undefined) return undefined
    const addressIn = (data: Hex = '0x'): Address =>
      getAddress(slice(decodeFunctionResult({ ...handler, data }), 12, 32))
    const found = addressIn(guarded.data)
    return {
      modules: [...decodeFunctionResult({ ...modules, data: listed.data ?? '0x' })[0]],
      fallbackHandler: addressIn(handled.data),
      ...(!isAddressEqual(found, zeroAddress) && { guard: found }),
    }
  })
}
