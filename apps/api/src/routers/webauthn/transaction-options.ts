import { endpoints, LanyardError } from '@lanyard/contracts'
import { toCalls } from '../../accounts/calls.ts'
import { findUserWallet } from '../../accounts/find-user-wallet.ts'
import { implement } from '../../implement.ts'
import { type BuiltOperation, buildOperation } from '../../operations/build-operation.ts'
import { toPaymasterAndData } from '../../operations/paymaster.ts'
import { toUserOp } from '../../operations/to-user-op.ts'
import { costliestSigner, findPasskeySigners } from '../../owners/passkey-signers.ts'
import { readOwners } from '../../owners/read-owners.ts'
import { listCredentials } from '../../webauthn/credentials.ts'
import { requestOptions } from '../../webauthn/options.ts'
import { requireNamedUser } from '../../webauthn/require-named-user.ts'

export const transactionOptions = implement(
  endpoints.webauthn.transactionOptions,
  async (input, { services }, keepAnswer) => {
    const { database, relyingParty, networks, operations } = services
    const network = networks.get(input.network)
    const user = await requireNamedUser(database, input.username)
    const wallet = await findUserWallet(database, user.id)
    const [{ owners }, credentials] = await Promise.all([
      readOwners(network, wallet),
      listCredentials(database, user.id),
    ])
    const signers = await findPasskeySigners(network, wallet, owners, credentials)
    const signer = costliestSigner(wallet, signers)
    if (!signer) {
      throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
        message: `No passkey owns this wallet on ${network.config.name}. Use /smart-account/transaction/build with an EOA that does.`,
      })
    }
    const toAnswer = async ({ operation, safeOperationHash }: BuiltOperation) => {
      const options = await requestOptions(relyingParty, {
        challenge: Buffer.from(safeOperationHash.slice(2), 'hex').toString('base64url'),
        allow: signers.map(({ credential }) => credential),
      })
      return { ...options, userOp: toUserOp(operation) }
    }
    const built = await buildOperation(operations, {
      wallet,
      network,
      calls: toCalls(input.transactionDetails),
      paymasterAndData: toPaymasterAndData(input.paymasterData ?? '0x'),
      signMode: 'WEBAUTHN',
      signer,
      replaces: input.replaces,
      allowRevert: input.allowRevert,
      whenWritten: async (transaction, written) => keepAnswer(transaction, await toAnswer(written)),
    })
    return toAnswer(built)
  },
)
