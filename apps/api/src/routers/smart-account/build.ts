import { endpoints, LanyardError } from '@lanyard/contracts'
import {
  findAnyWallet,
  isContractAccount,
  requireContractAccount,
  rulesOf,
  toCalls,
} from '../../domain/accounts/accounts/wallet.ts'
import { builderOf } from '../../domain/accounts/callers/caller.ts'
import { type BuildRequest, toUserOp, toValidity } from '../../domain/operations/build-request.ts'
import { buildOperation } from '../../domain/operations/prepare/build-operation.ts'
import { eoaSigner, requireEoaSigner } from '../../domain/operations/signers/eoa.ts'
import { firstOwnerSigner } from '../../domain/operations/signers/find-signer.ts'
import { buildWithSession, requireSessionKey } from '../../domain/session-keys/build-with-session.ts'
import { type BuiltWithOrder, buildWithOrder } from '../../domain/smart-balance/orders/build-with-order.ts'
import {
  findPayerForEoa,
  findPayerForSession,
  requireOnePayer,
} from '../../domain/smart-balance/orders/find-payer.ts'
import { toTokenFee } from '../../domain/smart-balance/orders/token-fee.ts'
import { chooseOrderSigner } from '../../domain/smart-balance/quotes/order-signer.ts'
import { implement } from '../../pipeline/implement.ts'

export const build = implement(endpoints.smartAccount.build, async (input, context, keepAnswer) => {
  const { services } = context
  const { signMode = 'ECDSA', paymasterData = '0x', feeToken, orderData, replaces, allowRevert } = input
  const sessionKey = requireSessionKey(input)
  requireOnePayer(input)
  if (feeToken && sessionKey) {
    const message = 'A session key cannot pay in a token: its session allows no approval.'
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'feeToken', message }] })
  }
  const network = services.networks.get(input.network)
  const wallet = await findAnyWallet(services.database, input)
  if (orderData || sessionKey)
    requireContractAccount(wallet, 'Let the EOA sign, and the account or an external paymaster pay.')
  const toTerms = await rulesOf(wallet).requireUsable(network, input.replaceDelegate)
  if (isContractAccount(wallet) && !sessionKey) await requireEoaSigner(network, wallet)

  const toAnswer = ({ built, solution }: Partial<BuiltWithOrder> & Pick<BuiltWithOrder, 'built'>) => ({
    userOp: toUserOp(built),
    messageToSign: built.operationHash,
    signMode,
    ...toValidity(built),
    ...toTerms(built.operation),
    ...(feeToken && toTokenFee(network, built.operation)),
    ...(solution && { order: solution }),
  })
  const onPersisted: BuildRequest['onPersisted'] =
    keepAnswer && ((transaction, written) => keepAnswer(transaction, toAnswer({ built: written })))
  const calls = toCalls(input.transactionDetails)
  const builtBy = await builderOf(context, wallet)
  const common = { network, calls, builtBy, replaces, allowRevert }
  if (sessionKey) {
    const account = requireContractAccount(wallet)
    const built = await buildWithSession(services.operations, {
      ...common,
      wallet: account,
      key: sessionKey,
      findPayer: (callData) =>
        findPayerForSession(context, { wallet: account, network, paymasterData, calls, callData }),
      onPersisted,
    })
    return toAnswer({ built })
  }
  if (orderData) {
    const account = requireContractAccount(wallet)
    const orderSigner = await chooseOrderSigner(services, account, network, 'eoa')
    const built = await buildWithOrder(context, {
      ...common,
      wallet: account,
      signer: eoaSigner,
      orderData,
      orderSigner,
      onPersisted: async (transaction, written) => keepAnswer?.(transaction, toAnswer(written)),
    })
    return toAnswer(built)
  }
  const payer = await findPayerForEoa(context, { wallet, network, paymasterData, feeToken, calls })
  const signer = isContractAccount(wallet) ? eoaSigner : firstOwnerSigner(wallet)
  const built = await buildOperation(services.operations, { ...common, wallet, signer, payer, onPersisted })
  return toAnswer({ built })
})
