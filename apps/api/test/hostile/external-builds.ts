import { expect } from 'vitest'
import type { PublishableService } from './publishable-service.ts'

/** The number of attacking addresses. */
const attackers = 20

/**
 * Third parties build for a wallet before and after its owner builds. The owner then submits with the documented
 * fields.
 *
 * @param attempts - total number of builds by third parties
 * @returns the answer to submit, and the number of successful builds by third parties
 */
export async function attackByBuilds(service: PublishableService, attempts: number) {
  const { owner, address } = await service.createWallet()
  const others = Array.from({ length: attackers }, (_, index) => service.from(`198.51.100.${index + 1}`))
  let nextValue = 1_000
  const attack = async () => {
    const statuses: number[] = []
    await Promise.all(
      others.map(async (other) => {
        for (let round = 0; round < attempts / attackers / 2; round++) {
          statuses.push((await other.build(address, nextValue++)).status)
        }
      }),
    )
    return statuses
  }
  const victim = service.from('203.0.113.7')
  const before = await attack()
  const built = await victim.build(address, 1)
  const after = await attack()
  expect(built).toMatchObject({ status: 200 })
  expect(built.body.userOp.nonce).toBe('0') // their builds do not move the owner to another lane
  const signature = await owner.signMessage({ message: { raw: built.body.messageToSign } })
  const submitted = await victim.submit({ signature, walletAddress: address })
  return { submitted, made: [...before, ...after].filter((status) => status === 200).length, address, owner }
}
