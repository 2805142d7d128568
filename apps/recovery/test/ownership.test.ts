import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeEnableModule,
  getRecoveryHash,
  type OwnerChange,
  ownerChangeTypedData,
  recoveryTypedData,
  toGuardianSet,
} from '@lanyard/accounts'
import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { type DevnetNode, devAccounts, localTransport, ownershipAddress, startNode } from '@lanyard/devnet'
import { safeAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, hexToBytes, publicActions } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, connect } from '../src/connect.ts'
import type { RecoveryKit } from '../src/kit/recovery-kit.ts'
import {
  applyChanges,
  executeRecovery,
  formatChange,
  progressOf,
  signCancellation,
  startRecovery,
} from '../src/ownership/change-ownership.ts'
import { readOwnership } from '../src/ownership/read-ownership.ts'
import { readSignedMessages, type SignedChange } from '../src/ownership/signed-messages.ts'
import { keyPayer } from '../src/payer/payer.ts'
import { previewMoves } from '../src/recover-network.ts'
import { sendTransaction } from '../src/send/send-transaction.ts'
import { eoaSigner } from '../src/signers/eoa.ts'
import { passkeySigner } from '../src/signers/passkey.ts'

/** Pays for each transaction, and owns nothing. */
const anyone = privateKeyToAccount(devAccounts[3]?.privateKey ?? '0x')
const deployment = { ...defaultDeployment, ownership: ownershipAddress }

let node: DevnetNode
let connection: Connection
beforeAll(async () => {
  node = await startNode()
  connection = await connect(node)
})
afterAll(() => node?.[Symbol.asyncDispose]())

const chain = () =>
  createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) }).extend(publicActions)
const payer = () => keyPayer(connection, anyone)
const newKey = () => privateKeyToAccount(randomPrivateKey())
const ownerOf = ({ address }: PrivateKeyAccount): AccountOwner => ({ kind: 'eoa', address })
const ownersOf = (address: Address) =>
  chain().readContract({ address, abi: safeAbi, functionName: 'getOwners' })

function kitOf(owner: AccountOwner, of: AccountDeployment = deployment): RecoveryKit {
  return {
    account: computeAccountAddress(owner, of),
    ...{ owner, deployment: of, credentialIds: [] },
    networks: [{ ...node, tokens: [] }],
  }
}

async function signChange(
  key: PrivateKeyAccount,
  { account }: RecoveryKit,
  sequence: bigint,
  change: OwnerChange,
): Promise<SignedChange> {
  const context = { module: ownershipAddress, account, sequence }
  return { sequence, change, signature: await key.signTypedData(ownerChangeTypedData(change, context)) }
}

/** As a person pastes it. */
const paste = (content: object) => readSignedMessages(JSON.stringify(content))

/** A deployed account with two guardians, who must both sign. */
async function guarded() {
  const first = newKey()
  const guardians = [newKey(), newKey()]
  const set = toGuardianSet({ members: guardians.map(({ address }) => address), threshold: 2, delay: 86_400 })
  const kit = kitOf(ownerOf(first))
  const appoint = await signChange(first, kit, 0n, { kind: 'setGuardians', guardians: set })
  await applyChanges(await readOwnership(connection, kit), payer(), [appoint])

  /** The recovery as guardians' signatures are pasted. */
  const recoveryFor = async (owner: PrivateKeyAccount, sequence = 1n, signers = guardians) => {
    const context = { module: ownershipAddress, account: kit.account, sequence, number: 1n }
    const typedData = recoveryTypedData([ownerOf(owner)], context)
    const signatures = await Promise.all(
      signers.map(async (guardian) => ({
        guardian: guardian.address,
        signature: await guardian.signTypedData(typedData),
      })),
    )
    const { recovery } = paste({
      ...{ sequence: String(sequence), number: '1' },
      newOwners: [{ address: owner.address }],
      guardians: set,
      signatures,
    })
    if (!recovery) throw new TypeError('This is a recovery')
    return recovery
  }
  return { first, kit, set, recoveryFor, look: () => readOwnership(connection, kit) }
}

test('behavior: applies saved changes in order, to an account that is not deployed yet', async () => {
  const [first, second] = [newKey(), newKey()]
  const kit = kitOf(ownerOf(first))
  const passkey = new SoftwareAuthenticator()
  const added: AccountOwner = { kind: 'passkey', ...passkey.publicKey, verifiers: defaultVerifiers }
  const changes = [
    await signChange(first, kit, 0n, { kind: 'replaceOwner', old: ownerOf(first), added: ownerOf(second) }),
    await signChange(second, kit, 1n, { kind: 'addOwner', owner: added }),
  ]
  const view = await readOwnership(connection, kit)
  expect(view).toMatchObject({ module: ownershipAddress, sequence: 0n, running: undefined })
  // As the service lists them, in any order.
  const pasted = paste({ changes: changes.toReversed().map((change) => JSON.parse(formatChange(change))) })
  expect(pasted.changes).toEqual(changes)
  await applyChanges(view, payer(), pasted.changes)
  expect(await ownersOf(kit.account)).toHaveLength(2)
  expect(await ownersOf(kit.account)).not.toContain(first.address)

  const after = await readOwnership(connection, kit)
  expect(after.sequence).toBe(2n)
  await expect(applyChanges(after, payer(), pasted.changes)).rejects.toMatchObject({ code: 'OTHER_SEQUENCE' })
})

test('behavior: starts a recovery by the guardians, and executes it after its delay', async () => {
  const { kit, recoveryFor, look } = await guarded()
  const next = newKey()
  const recovery = await recoveryFor(next)
  expect(progressOf(await look(), recovery)).toBe('pending')
  await startRecovery(await look(), payer(), recovery)

  const running = await look()
  expect(progressOf(running, recovery)).toBe('running')
  const { sequence, newOwners } = recovery
  const context = { module: ownershipAddress, account: kit.account, sequence, number: 1n }
  expect(running.running?.hash).toBe(getRecoveryHash(newOwners, context))
  expect(running.running?.readyAt).toBeGreaterThan(running.now)
  expect(progressOf(running, await recoveryFor(newKey()))).toBe('other-running')
  await expect(executeRecovery(running, payer(), recovery)).rejects.toMatchObject({ code: 'NOT_READY' })
  await expect(startRecovery(running, payer(), recovery)).rejects.toMatchObject({ code: 'RECOVERY_REPLACED' })

  await chain().increaseTime({ seconds: 86_401 })
  await chain().mine({ blocks: 1 })
  expect(progressOf(await look(), recovery)).toBe('ready')
  await executeRecovery(await look(), payer(), recovery)
  expect(await ownersOf(kit.account)).toEqual([next.address])
  expect(progressOf(await look(), recovery)).toBe('executed')
})

test('behavior: an owner cancels a recovery, also a passkey', async () => {
  const { first, kit, recoveryFor, look } = await guarded()
  const recovery = await recoveryFor(newKey())
  await startRecovery(await look(), payer(), recovery)
  const thirdParty = newKey()
  await expect(signCancellation(await look(), eoaSigner(thirdParty))).rejects.toMatchObject({
    code: 'NOT_AN_OWNER',
  })
  const signed = await signCancellation(await look(), eoaSigner(first))
  // What the page shows, to be applied on other networks.
  const { changes } = readSignedMessages(formatChange(signed))
  await applyChanges(await look(), payer(), changes)
  expect((await look()).running).toBeUndefined()
  expect(progressOf(await look(), recovery)).toBe('over')
  await expect(startRecovery(await look(), payer(), recovery)).rejects.toMatchObject({
    code: 'OTHER_SEQUENCE',
  })

  const authenticator = new SoftwareAuthenticator()
  const assert = async (hash: `0x${string}`) => authenticator.get({ challenge: hexToBytes(hash) })
  const byPasskey = kitOf({ kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers })
  const before = await readOwnership(connection, byPasskey)
  const cancel = await signCancellation(before, passkeySigner(assert))
  await applyChanges(before, payer(), [cancel])
  const after = await readOwnership(connection, byPasskey)
  expect(after.sequence).toBe(1n)
  await applyChanges(after, payer(), [await signCancellation(after, passkeySigner(assert))])
  expect(kit.account).not.toBe(byPasskey.account)
})

test('error: nothing happens with too few guardians, other guardians, or a signature of somebody else', async () => {
  const { kit, set, recoveryFor, look } = await guarded()
  const thief = newKey()
  const recovery = await recoveryFor(thief)
  const fewer = { ...recovery, signatures: recovery.signatures.slice(0, 1) }
  await expect(startRecovery(await look(), payer(), fewer)).rejects.toMatchObject({ code: 'FAILED' })
  const others = toGuardianSet({ ...set, members: [thief.address, anyone.address] })
  await expect(
    startRecovery(await look(), payer(), { ...recovery, guardians: others }),
  ).rejects.toMatchObject({ code: 'OTHER_GUARDIANS' })
  const later = await recoveryFor(thief, 2n)
  expect(progressOf(await look(), later)).toBe('waiting')
  await expect(executeRecovery(await look(), payer(), recovery)).rejects.toMatchObject({
    code: 'NO_RECOVERY',
  })
  const forged = await signChange(thief, kit, 1n, { kind: 'addOwner', owner: ownerOf(thief) })
  await expect(applyChanges(await look(), payer(), [forged])).rejects.toMatchObject({ code: 'FAILED' })
})

test('behavior: finds the module of an account that enabled it later, and no other contract', async () => {
  const first = newKey()
  const kit = kitOf(ownerOf(first), defaultDeployment)
  await expect(readOwnership(connection, kit)).rejects.toMatchObject({ code: 'NO_OWNERSHIP' })
  const { account } = kit
  const enable = async (module: Address) => {
    const network = { tokens: [] }
    const preview = await previewMoves({ connection, kit, network, to: anyone.address, way: 'transaction' })
    const call = encodeEnableModule({ module, account })
    await sendTransaction({ ...preview, signer: eoaSigner(first) }, payer(), [call])
  }
  // Any contract can be a module. This one has none of the functions.
  await enable(node.settlementToken.address)
  await expect(readOwnership(connection, kit)).rejects.toMatchObject({ code: 'NO_OWNERSHIP' })
  await enable(ownershipAddress)
  expect(await readOwnership(connection, kit)).toMatchObject({ module: ownershipAddress, sequence: 0n })
  // A kit cannot name another module either.
  const external = kitOf(ownerOf(newKey()), { ...deployment, ownership: node.settlementToken.address })
  await expect(readOwnership(connection, external)).rejects.toMatchObject({ code: 'NO_OWNERSHIP' })
})

test.each([
  ['not JSON', '<html>'],
  ['a recovery kit', JSON.stringify({ walletAddress: anyone.address })],
  ['an unknown kind', JSON.stringify({ sequence: '0', kind: '0x00', data: '0x', signature: '0x' })],
  [
    'a key that is no point',
    JSON.stringify({
      sequence: '0',
      newOwners: [{ x: '0x01', y: '0x01' }],
      guardians: { members: [anyone.address], threshold: 1, delay: 86_400 },
      signatures: [],
    }),
  ],
])('error: NOT_SIGNED_MESSAGES for %s', (_, text) => {
  expect(() => readSignedMessages(text)).toThrow(expect.objectContaining({ code: 'NOT_SIGNED_MESSAGES' }))
})
