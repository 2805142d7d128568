/** @module-tag all */
import { encodeAddOwner, encodeContractSignature, encodeSignature } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { sql } from 'kysely'
import {
  type Address,
  concat,
  domainSeparator,
  type Hash,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  keccak256,
  recoverAddress,
  size,
  slice,
  stringToHex,
} from 'viem'
import { afterAll, expect, test } from 'vitest'
import { operationFeatures } from '../../src/app/operation-features.ts'
import { signerOfForm } from '../../src/domain/operations/signers/find-signer.ts'
import { type OperationSigner, ownerSigner, type Signer } from '../../src/domain/operations/signers/signer.ts'
import { findSignedOperation } from '../../src/domain/operations/submit/find-signed-operation.ts'
import { submitOperation } from '../../src/domain/operations/submit/submit-operation.ts'
import { startOperations } from '../operation-fixture.ts'

/** A kind that no source file knows: an account that owns another account, whose EOA signs. */
const signMode = 'ACCOUNT' as 'ECDSA' // a migration adds the name to the type and to the column's check

const keyBytes = 65
/** Owner (32) ‖ offset (32) ‖ v = 0 (1) ‖ length (32), before the bytes that the owner's code checks. */
const contractBytes = 97

const signerOf = (owner: Address): OperationSigner => ({
  ...ownerSigner,
  signMode,
  stubFor: async (_network, { validUntil }) => ({
    signature: encodeSignature({
      validAfter: 0,
      validUntil,
      signatures: encodeContractSignature(owner, `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`),
    }),
    simulation: { stateOverride: [] },
    shortfall: { verification: 0n, preVerification: 0n },
  }),
})

/**
 * What the key of an owning account signs: `getMessageHashForSafe` of CompatibilityFallbackHandler 1.4.1, for the bytes whose hash
 * the owned account asks its owners to sign.
 */
const hashFor = (operationHash: Hash, chainId: number, account: Address): Hash =>
  keccak256(
    concat([
      '0x1901',
      domainSeparator({ domain: { chainId, verifyingContract: account } }),
      keccak256(concat([keccak256(stringToHex('SafeMessage(bytes message)')), operationHash])),
    ]),
  )

/** Owners of the owning accounts, by the address of the account. */
const keys = new Map<Address, Address>()

const accountSigner: Signer = {
  signMode,
  unknown: 'Nothing is built for this account.',
  hasForm: (signature) =>
    size(signature) === contractBytes + keyBytes && hexToBigInt(slice(signature, 64, 65)) === 0n,
  ofStub: async (_account, stub) => signerOf(slice(stub, 12, 32)),
  async recognise(candidates, { ownersOn }, signature) {
    const named = slice(signature, 12, 32)
    for await (const row of candidates) {
      const owner = (await ownersOn(row.network)).find((one) => isAddressEqual(one, named))
      if (!owner) continue
      const hash = hashFor(row.safe_op_hash as Hash, row.network, owner)
      const key = await recoverAddress({ hash, signature: slice(signature, contractBytes) })
      if (key === keys.get(owner)) return { row, ownerSignature: signature, owner }
    }
    throw new LanyardError('INVALID_SIGNATURE')
  },
  encode: ({ valid_after: validAfter, valid_until: validUntil }, signatures) =>
    encodeSignature({ validAfter, validUntil, signatures }),
}

const fixture = await startOperations('pglite')
afterAll(() => fixture[Symbol.asyncDispose]())

/** An account, and one that owns it. */
async function createOwnedAccount() {
  const owning = await fixture.createWallet()
  await fixture.send(owning.wallet, owning.owner) // deploys it
  keys.set(owning.wallet.address, owning.owner.address)
  const owned = await fixture.createWallet()
  const call = encodeAddOwner({ account: owned.wallet.address, owner: owning.wallet.address })
  await fixture.send(owned.wallet, owned.owner, { calls: [call] })
  return { owning, wallet: owned.wallet }
}

const features = { ...operationFeatures, signers: [accountSigner, ...operationFeatures.signers] }

test('default: a third kind of signer builds and submits by its own file and its registration', async () => {
  const { database, network } = fixture
  await sql`alter table operations drop constraint operations_sign_mode_check`.execute(database)
  const { owning, wallet } = await createOwnedAccount()

  const built = await fixture.build(wallet, { signer: signerOf(owning.wallet.address) })
  const hash = hashFor(built.operationHash, network.chainId, owning.wallet.address)
  const signature: Hex = encodeContractSignature(owning.wallet.address, await owning.owner.sign({ hash }))

  const signer = signerOfForm({ signers: features.signers }, signature)
  expect(signer).toBe(accountSigner)
  const { row, ownerSignature } = await findSignedOperation(
    { wallet, database, ownersOn: async () => [owning.wallet.address] },
    accountSigner,
    signature,
    {},
    { builtBy: 'test', budget: { charge: async () => {}, refund: async () => {} }, now: new Date() },
  )
  expect(row.sign_mode).toBe('ACCOUNT')
  const submitted = await submitOperation(
    { ...fixture.operations, features },
    row,
    accountSigner.encode(row, ownerSignature),
  )
  expect(submitted).toMatchObject({ success: true })
  expect(await fixture.readRow(built.userOpHash)).toMatchObject({ state: 'included', sign_mode: 'ACCOUNT' })
})
