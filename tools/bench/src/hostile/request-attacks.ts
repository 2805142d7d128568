import { endpoints, hash } from '@lanyard/contracts'
import { type Hex, keccak256, numberToHex } from 'viem'
import type { RequestAttack } from './builds-of-others.ts'

/** The number of builds that one caller may keep for one wallet. */
const buildsOfVictim = 64

/**
 * Wrong signatures for a wallet with the maximum number of third-party builds. No request names its
 * operation.
 */
export const wrongSignatures: RequestAttack = {
  senders: 8,
  perSecond: 10,
  async prepare({ victim, attacker, nextAddress, post, build }) {
    for (let index = 0; index < buildsOfVictim; index++) await build(victim, nextAddress())
    const signatures: Hex[] = []
    for (let index = 0; index < 50; index++)
      signatures.push(await attacker.sign({ hash: hash.parse(keccak256(numberToHex(index))) }))
    const { path } = endpoints.smartAccount.submit
    return (from, count) =>
      post(path, { walletAddress: victim, signature: signatures[count % signatures.length] }, from)
  },
}

/** A thousand builds a minute for one wallet, from as many addresses as the attack test uses. */
export const foreignBuilds: RequestAttack = {
  senders: 20,
  perSecond: 1_000 / 60 / 20,
  prepare:
    async ({ victim, build }) =>
    (from) =>
      build(victim, from),
}

/** A thousand reads a minute from each of four addresses. */
export const costlyReads: RequestAttack = {
  senders: 4,
  perSecond: 1_000 / 60,
  async prepare({ victim, get }) {
    const { wallet, owner } = endpoints
    const paths = [wallet.balances.path, wallet.transfers.path, owner.recoveryKit.path]
    return (from, count) => get(`${paths[count % paths.length]}?walletAddress=${victim}`, from)
  },
}

/** Builds on a network whose RPC answers slowly, while others build on another network. */
export const slowNetworkBuilds = (chainId: number): RequestAttack => ({
  senders: 8,
  perSecond: 10,
  prepare:
    async ({ victim, build }) =>
    (from) =>
      build(victim, from, chainId),
})
