import { ownershipAddress } from '@lanyard/devnet'
import { logEvidence } from '@lanyard/testing'
import { type Address, parseEther } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import { type StartOptions, sign, startOrderService } from '../orders/order-service.ts'

/** Starts the service with the Ownership module, and the requests of owners. */
export async function startOwnershipService(
  chainIds: readonly number[],
  options: Omit<StartOptions, 'chainIds'> = {},
) {
  const service = await startOrderService({
    ...options,
    chainIds: [...chainIds],
    settings: { ownership: ownershipAddress, ...options.settings },
  })
  const { rest } = service
  const rows = logEvidence('rows')

  const statusOf = (address: Address) => rest.get(`/smart-account/ownership?walletAddress=${address}`)
  const prepare = (walletAddress: Address, change: object) =>
    rest.post('/smart-account/ownership/prepare', { walletAddress, change })
  const submit = (body: object) => rest.post('/smart-account/ownership/submit', body)

  /** A wallet that has the module on each network, by one operation there. */
  async function createOwnedWallet() {
    const wallet = await service.createWallet()
    const { body } = await statusOf(wallet.address)
    for (const { network, enabled, transactionDetails } of body.networks) {
      expect(enabled).toBe(false)
      await service.on(network).chain.setBalance({ address: wallet.address, value: parseEther('1') })
      const built = await service.build({
        network: String(network),
        walletAddress: wallet.address,
        transactionDetails,
      })
      expect(built).toMatchObject({ status: 200 })
      const signature = await sign.raw(wallet.owner, built.body.messageToSign)
      const done = await service.submit({ walletAddress: wallet.address, signature })
      expect(done).toMatchObject({ status: 200, body: { success: true } })
    }
    return wallet
  }

  /** Prepares a change, has an EOA sign the hash, and submits it. */
  async function change({ address }: { readonly address: Address }, by: PrivateKeyAccount, wanted: object) {
    const { body } = await prepare(address, wanted)
    const { sequence, kind, data, messageToSign } = body
    const signature = await by.sign({ hash: messageToSign })
    return submit({ walletAddress: address, sequence, kind, data, signature })
  }

  /** Waits until a change is final on each network. */
  const waitForChange = (address: Address, sequence: string) =>
    vi.waitFor(
      async () => {
        const { body } = await statusOf(address)
        const known = body.changes.find((one: { sequence: string }) => one.sequence === sequence)
        const states = known.networks.map(({ state }: { state: string }) => state)
        expect(states).toEqual(chainIds.map(() => 'final'))
      },
      { timeout: 180_000, interval: 500 },
    )

  return {
    ...{ ...service, chainIds, statusOf, prepare, submit, createOwnedWallet, change, waitForChange },
    async [Symbol.asyncDispose]() {
      // A failure that waits for a network is explained by these.
      for (const table of ['message_progress', 'relayer_transactions', 'passes'] as const)
        for (const row of await service.database.db.selectFrom(table).selectAll().execute())
          rows.write(
            `${table} ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}\n`,
          )
      await service[Symbol.asyncDispose]()
    },
  }
}

export type OwnershipService = Awaited<ReturnType<typeof startOwnershipService>>
