import { defaultVerifiers } from '@lanyard/accounts'
import { verifyBuild, verifySessionBuild, verifySessionPlan, verifyTransactionOptions } from '@lanyard/client'
import { bytesToBigInt } from 'viem'
import type { Fixture } from './fuzz-fixture.ts'
import { fillIn } from './placeholders.ts'
import type { RestRequest } from './request.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests and answers as JSON
type Json = any

/** What a client recomputes before it signs. An answer that passes matches the request exactly. */
type Check = (fixture: Fixture, body: Json, answer: Json) => void

const passkeyOwner = ({ user: { passkey } }: Fixture) =>
  ({
    kind: 'passkey',
    x: bytesToBigInt(passkey.x),
    y: bytesToBigInt(passkey.y),
    verifiers: defaultVerifiers,
  }) as const

/**
 * The limits of the fixture's session (`fuzz-fixture.ts`), checked without the contract and without the compiler of
 * permissions.
 */
function requireWithinSession(fixture: Fixture, calls: readonly Json[]): void {
  const allowance = 1_000_000n
  let paid = 0n
  let transferred = 0n
  for (const { targetContractAddress, value, encodedData } of calls) {
    const to = String(targetContractAddress).toLowerCase()
    if (encodedData === '0x' || encodedData === '0X') {
      paid += BigInt(value)
      continue
    }
    const isTransfer =
      to === String(fixture.known.token).toLowerCase() && /^0xa9059cbb[0-9a-f]{128}/i.test(encodedData)
    if (!isTransfer || BigInt(value) !== 0n)
      throw new Error(`the session does not allow this call: ${encodedData}`)
    transferred += BigInt(`0x${encodedData.slice(74, 138)}`)
  }
  if (paid > allowance || transferred > allowance) throw new Error('more than the session allows')
}

const checkBuild: Check = (fixture, body, answer) => {
  if (answer.signMode === 'SESSION_KEY') {
    const { sessionKeys, sessionKey: key } = fixture.known as Json
    verifySessionBuild({ build: answer, request: body, key, account: fixture.wallet.address, sessionKeys })
    if (body.allowRevert !== true) requireWithinSession(fixture, body.transactionDetails)
    return
  }
  const empty = String(body.walletAddress).toLowerCase() === fixture.bystander.address.toLowerCase()
  const { owner } = empty ? fixture.bystander : fixture.wallet
  verifyBuild({ build: answer, request: body, owner: { kind: 'eoa', address: owner.address } })
}

const checks: Readonly<Record<string, Check>> = {
  smartAccountBuild: checkBuild,
  webauthnTransactionOptions: (fixture, body, answer) =>
    void verifyTransactionOptions({
      options: answer,
      request: body,
      owner: passkeyOwner(fixture),
      network: body.network,
    }),
  sessionKeyCheck: (fixture, body, answer) => {
    if (answer.allowed) requireWithinSession(fixture, body.transactionDetails)
  },
  sessionKeyEnable: (fixture, body, answer) => {
    const { sessionKeys, smartBalance, wallet, emptyWallet, passkeyWallet } = fixture.known as Json
    const accounts = [wallet, emptyWallet, passkeyWallet]
    const account = accounts.find((one) => one.toLowerCase() === body.walletAddress.toLowerCase())
    verifySessionPlan({ plan: answer, request: body, account, sessionKeys, smartBalance })
  },
}

/** @throws if the answer does not match the request */
export function requireMatch(fixture: Fixture, { operation, body }: RestRequest, answer: Json): void {
  checks[operation]?.(fixture, fillIn(body, fixture.known), answer)
}
