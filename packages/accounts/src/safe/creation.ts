import {
  safeAbi,
  safeModuleSetupAbi,
  safeProxyFactoryAbi,
  safeWebAuthnSharedSignerAbi,
} from '@lanyard/onchain'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  zeroAddress,
} from 'viem'
import { AccountsError } from '../errors.ts'
import { type AccountOwner, toOwner } from '../owner.ts'
import { assertOnP256 } from '../signers/passkey/public-key.ts'
import { assertUint } from '../words.ts'
import { encodeMultiSend } from './calls.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

/**
 * The call data of `Safe.setup` that makes `owner` the only owner (threshold 1) and enables the 4337 module,
 * and Ownership if the deployment has it.
 *
 * An EOA account calls SafeModuleSetup directly. Only a passkey account goes through MultiSend, because it
 * must also store its key.
 *
 * @throws AccountsError NOT_ON_CURVE if x, y of a passkey are not a point of P-256; OUT_OF_RANGE for
 * verifiers over 176 bits.
 */
export function encodeInitializer(
  owner: AccountOwner,
  deployment: AccountDeployment = defaultDeployment,
): Hex {
  const enableModule = encodeFunctionData({
    abi: safeModuleSetupAbi,
    functionName: 'enableModules',
    args: [[deployment.module, ...(deployment.ownership ? [deployment.ownership] : [])]],
  })
  if (owner.kind === 'eoa')
    return encodeSetup(owner.address, deployment.moduleSetup, enableModule, deployment)

  const { x, y, verifiers } = owner
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  const configureSigner = encodeFunctionData({
    abi: safeWebAuthnSharedSignerAbi,
    functionName: 'configure',
    args: [{ x, y, verifiers }],
  })
  const setUpBoth = encodeMultiSend([
    { operation: 'delegatecall', to: deployment.moduleSetup, value: 0n, data: enableModule },
    { operation: 'delegatecall', to: deployment.sharedSigner, value: 0n, data: configureSigner },
  ])
  return encodeSetup(deployment.sharedSigner, deployment.multiSend, setUpBoth, deployment)
}

/** `to` is delegate-called with `data`. The last three arguments are zero: the deployment pays no refund. */
function encodeSetup(owner: Address, to: Address, data: Hex, { module }: AccountDeployment): Hex {
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[owner], 1n, to, data, module, zeroAddress, 0n, zeroAddress],
  })
}

/**
 * A user operation's `initCode` that deploys the account: factory ‖ `createProxyWithNonce` call data.
 *
 * @throws AccountsError NOT_DEPLOYABLE for an account that another program deployed; as {@link encodeInitializer}.
 */
export function encodeInitCode(owner: AccountOwner, deployment: AccountDeployment = defaultDeployment): Hex {
  if (deployment.address !== undefined)
    throw new AccountsError('NOT_DEPLOYABLE', `another program deployed ${deployment.address}`)
  const createProxy = encodeFunctionData({
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [deployment.singleton, encodeInitializer(owner, deployment), deployment.saltNonce],
  })
  return encodePacked(['address', 'bytes'], [deployment.factory, createProxy])
}

/**
 * `SafeProxyFactory.proxyCreationCode()` of Safe 1.4.1: the bytecode of SafeProxy in
 * @safe-global/safe-contracts@1.4.1 (build/artifacts/contracts/proxies/SafeProxy.sol). It is the same on
 * every network.
 */
export const safeProxyCreationCode: Hex =
  '0x608060405234801561001057600080fd5b506040516101e63803806101e68339818101604052602081101561003357600080fd5b8101908080519060200190929190505050600073ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff1614156100ca576040517f08c379a00000000000000000000000000000000000000000000000000000000081526004018080602001828103825260228152602001806101c46022913960400191505060405180910390fd5b806000806101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff1602179055505060ab806101196000396000f3fe608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033496e76616c69642073696e676c65746f6e20616464726573732070726f7669646564'

/**
 * The account's counterfactual address, computed like CREATE2 in `SafeProxyFactory.createProxyWithNonce`,
 * with salt `keccak256(keccak256(initializer) ‖ saltNonce)`. It is the same on every network. An account that another
 * program deployed has the address that its deployment names.
 *
 * @returns the checksummed address.
 * @throws AccountsError as {@link encodeInitializer}.
 */
export function computeAccountAddress(
  owner: AccountOwner,
  deployment: AccountDeployment = defaultDeployment,
): Address {
  if (deployment.address !== undefined) return deployment.address
  const initializer = encodeInitializer(owner, deployment)
  return getCreate2Address({
    from: deployment.factory,
    salt: keccak256(concat([keccak256(initializer), numberToHex(deployment.saltNonce, { size: 32 })])),
    bytecode: concat([
      safeProxyCreationCode,
      encodeAbiParameters([{ type: 'address' }], [deployment.singleton]),
    ]),
  })
}

/** How an account was created, as a recovery kit records it. */
export interface AccountCreation {
  readonly walletAddress: Address
  readonly factory: Address
  readonly singleton: Address
  /** Decimal. */
  readonly saltNonce: string
  readonly initializer: Hex
  readonly module: Address
  readonly entryPoint: Address
  readonly ownership?: Address | undefined
  /** The first owner, if it is an EOA. */
  readonly eoaAddress?: Address | undefined
  /** The first owner, if it is a passkey. */
  readonly passkey?:
    | { readonly x: Hex; readonly y: Hex; readonly verifiers: Hex; readonly sharedSigner: Address }
    | undefined
}

/**
 * Reads the first owner and the contracts of an account. The address must follow from them, so a changed record never
 * leads to another account.
 *
 * @returns undefined if the address, the initializer or the entry point does not match
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE
 */
export function readCreation(
  creation: AccountCreation,
): { readonly owner: AccountOwner; readonly deployment: AccountDeployment } | undefined {
  const owner = readFirstOwner(creation)
  if (!owner) return undefined
  const { walletAddress, factory, singleton, saltNonce, module, ownership, passkey } = creation
  const deployment = {
    ...defaultDeployment,
    ...{ factory, singleton, module },
    ...(ownership && { ownership }),
    saltNonce: BigInt(saltNonce),
    sharedSigner: passkey?.sharedSigner ?? defaultDeployment.sharedSigner,
  }
  const matches =
    isAddressEqual(computeAccountAddress(owner, deployment), walletAddress) &&
    encodeInitializer(owner, deployment) === creation.initializer.toLowerCase() &&
    // The address does not depend on the entry point, which is a constant of the module.
    isAddressEqual(creation.entryPoint, defaultDeployment.entryPoint)
  return matches ? { owner, deployment } : undefined
}

/** The first owner, which determines the address. */
function readFirstOwner({
  eoaAddress,
  passkey,
}: Pick<AccountCreation, 'eoaAddress' | 'passkey'>): AccountOwner | undefined {
  if (eoaAddress) return toOwner({ address: eoaAddress })
  return passkey && toOwner(passkey)
}
