import { endpoints, LanyardError } from '@lanyard/contracts'
import { signerId } from '@lanyard/smart-balance'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { toCalls } from '../../domain/accounts/accounts/wallet.ts'
import { builderOf } from '../../domain/accounts/callers/caller.ts'
import { findPasskeySigners, type PasskeySigner } from '../../domain/accounts/owners/describe-owners.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { requestOptions } from '../../domain/accounts/passkeys/options.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { shownCredentials } from '../../domain/accounts/passkeys/shown-credentials.ts'
import { toUserOp, toValidity } from '../../domain/operations/build-request.ts'
import { buildOperation } from '../../domain/operations/prepare/build-operation.ts'
import { costliestSigner } from '../../domain/owners/costliest-signer.ts'
import { type BuiltWithOrder, buildWithOrder } from '../../domain/smart-balance/orders/build-with-order.ts'
import { findPayer, requireOnePayer } from '../../domain/smart-balance/orders/find-payer.ts'
import { requireOrderSigner, toOrderCandidates } from '../../domain/smart-balance/orders/order-signers.ts'
import { toTokenFee } from '../../domain/smart-balance/orders/token-fee.ts'
import { chooseOrderSigner } from '../../domain/smart-balance/quotes/order-signer.ts'
import { implement } from '../../pipeline/implement.ts'

export const transactionOptions = implement(
  endpoints.webauthn.transactionOptions,
  async (input, context, keepAnswer) => {
    const { database, networks, operations } = context.services
    const { relyingParty } = context.project
    const { paymasterData = '0x', feeToken, orderData, replaces, allowRevert } = input
    requireOnePayer(input)
    const network = networks.get(input.network)
    const user = await requireNamedUser(database, input.username)
    const wallet = await findUserWallet(database, user.id)
    const [{ owners }, credentials] = await Promise.all([
      readOwners(network, wallet),
      listCredentials(database, user.id),
    ])
    const signers = await findPasskeySigners(network, wallet, owners, credentials)
    const candidates = toOrderCandidates(signers)
    if (!candidates) {
      throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
        message: `No passkey owns this wallet on ${network.config.name}. Use /smart-account/transaction/build with an EOA that does.`,
      })
    }
    type Built = Partial<BuiltWithOrder> & Pick<BuiltWithOrder, 'built'>
    const toAnswer = async ({ built, solution }: Built, allowed: readonly PasskeySigner[]) => {
      const options = await requestOptions(relyingParty, {
        challenge: Buffer.from(built.operationHash.slice(2), 'hex').toString('base64url'),
        allow: await shownCredentials(
          context,
          user.id,
          allowed.map(({ credential }) => credential),
        ),
      })
      return {
        ...options,
        userOp: toUserOp(built),
        ...toValidity(built),
        ...(feeToken && toTokenFee(network, built.operation)),
        ...(solution && { order: solution }),
      }
    }
    const calls = toCalls(input.transactionDetails)
    const builtBy = await builderOf(context, wallet)
    const request = { wallet, network, calls, builtBy, replaces, allowRevert }

    if (orderData) {
      const orderSigner = await chooseOrderSigner(context.services, wallet, network, 'passkey')
      const { signer } = requireOrderSigner({ signer_id: signerId(orderSigner) }, candidates)
      const built = await buildWithOrder(context, {
        ...request,
        signer: costliestSigner(wallet, [signer]),
        orderData,
        orderSigner,
        onPersisted: async (transaction, written) =>
          keepAnswer?.(transaction, await toAnswer(written, [signer])),
      })
      return toAnswer(built, [signer])
    }
    const { payer, signer: only } = await findPayer(context, {
      wallet,
      network,
      paymasterData,
      feeToken,
      calls,
      signers: async () => candidates,
    })
    // An order is for one key, so only that passkey may answer the challenge.
    const allowed = only ? [only.signer] : signers
    const built = await buildOperation(operations, {
      ...request,
      signer: costliestSigner(wallet, allowed),
      payer,
      onPersisted:
        keepAnswer &&
        (async (transaction, written) =>
          keepAnswer(transaction, await toAnswer({ built: written }, allowed))),
    })
    return toAnswer({ built }, allowed)
  },
)
