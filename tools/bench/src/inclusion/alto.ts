import type { Address } from 'viem'
import { startAlto } from '../programs/alto.ts'
import { createPeer, type PeerWallet } from '../wallets/peer.ts'
import type { EnterRace } from './race-fixture.ts'

/** Alto, with operations that permissionless prepared. It responds before inclusion. */
export const alto: EnterRace = async ({ node, owners }) => {
  const program = await startAlto(node.rpcUrl)
  const peer = createPeer({ rpcUrl: node.rpcUrl, bundlerUrl: program.url })
  const wallets = new Map<Address, PeerWallet>()
  for (const owner of owners) wallets.set(owner.address, await peer.wallet(owner))
  return {
    async prepare({ address }) {
      const operation = await wallets.get(address)?.sign()
      if (!operation) throw new TypeError(`${address} is not an owner of this fixture`)
      return () => peer.send(operation)
    },
    processes: { service: program.pid },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
