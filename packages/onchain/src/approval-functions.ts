/**
 * Functions that give a third party power over the caller's tokens or positions. No session rule may name
 * them, on any contract. The exception is `approve(address,uint256)` on a token with an allowance, towards a
 * named spender.
 *
 * This and `batch-functions.ts` are the only lists: `generate` writes `RefusedFunctions.sol` from them. They
 * contain the functions in common use, so that an owner does not sign one that looks harmless. They are not
 * complete: an unknown function is an ordinary call.
 */
export const approvalFunctions = {
  'ERC-20 and its extensions': [
    'approve(address,uint256)',
    'increaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
    'approve(address)', // DSToken
    'approveMax(address)',
    'temporaryApprove(address,uint256)', // ERC-7674
    'approveAndCall(address,uint256)', // ERC-1363
    'approveAndCall(address,uint256,bytes)',
    'increaseApprovalAndCall(address,uint256,bytes)', // ERC-827
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', // ERC-2612
    'permit(address,address,uint256,uint256,bytes)', // ERC-7597
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', // DAI
    'permit2(address,address,uint256,uint256,bytes)',
  ],
  Permit2: [
    'approve(address,address,uint160,uint48)',
    'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
    'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
    'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)',
  ],
  'collections of tokens': [
    'permit(address,uint256,uint256,bytes)', // ERC-4494
    'permit(address,uint256,uint256,uint8,bytes32,bytes32)', // Uniswap v3's positions
    'permit(address,uint256,uint256,uint256,bytes)', // Uniswap v4's positions
    'permitForAll(address,address,bool,uint256,uint256,bytes)',
    'permitAll(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permitAll(address,address,bool,uint256,uint8,bytes32,bytes32)',
    'setApprovalForOne(address,uint256,bool)',
  ],
  'other standards': [
    'setApprovalForAll(address,bool)', // ERC-721, ERC-1155
    'setUser(uint256,address,uint64)', // ERC-4907
    'setOperator(address,bool)', // ERC-6909, ERC-7540
    'approve(address,uint256,uint256)', // ERC-6909, ERC-5216
    'approve(address,uint256,uint256,uint256)', // drafts of ERC-1155
    'setOperator(address,uint48)', // ERC-7984
    'authorizeOperator(address)', // ERC-777
    'authorizeOperatorByPartition(bytes32,address)', // ERC-1410
    'approveByPartition(bytes32,address,uint256)',
    'authorizeOperator(address,uint256,bytes)', // LSP7
    'increaseAllowance(address,uint256,bytes)',
    'authorizeOperator(address,bytes32,bytes)', // LSP8
    'setInterfaceImplementer(address,bytes32,address)', // ERC-1820: another contract answers ERC-777's hooks
    'setManager(address,address)',
    'approveHash(bytes32)', // another Safe that the account owns
  ],
  lending: [
    'approveDelegation(address,uint256)', // Aave
    'setUserPositionManager(address,bool)',
    'allow(address,bool)', // Compound III
    'setAuthorization(address,bool)', // Morpho
    'approveManager(address,bool)',
    'updateDelegate(address,bool)', // Venus
    'setReceiveApproval(address,uint256)', // Silo
    'setAccountOperator(address,address,bool)', // Euler's EVC
    'permit(address,address,uint256,uint256,uint256,uint256,bytes)',
    'setOperator(bytes19,address,uint256)',
    'enableController(address,address)',
    'setMasterContractApproval(address,address,bool,uint8,bytes32,bytes32)', // BentoBox
    'approve(address,bool)', // Curve
    'hope(address)', // Maker
    'cdpAllow(uint256,address,uint256)',
    'urnAllow(address,uint256)',
    'setAddManager(uint256,address)', // Liquity
    'setRemoveManager(uint256,address)',
    'setRemoveManagerWithReceiver(uint256,address,address)',
  ],
  'exchanges and markets': [
    'setRelayerApproval(address,address,bool)', // Balancer
    'setPreSignature(bytes,bool)', // CoW
    'preSign(bytes32)', // 0x
    'registerAllowedOrderSigner(address,bool)',
    'setSignatureValidatorApproval(address,bool)',
    'grantApprovals(address[])', // LooksRare
    // Seaport: makes an order fillable without a signature.
    'validate(((address,address,(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes)[])',
    'setOperators((address,bool)[])', // dYdX
    'approvePlugin(address)', // GMX
    'setDelegate(address)', // Gains
    'setTradingDelegate(address)',
    'approve(address,uint8)', // Perpetual Protocol
    'grantPermission(uint128,bytes32,address)', // Synthetix
    'approveAllDelegatePowers(address)',
    'approveIssueOnBehalf(address)',
    'approveBurnOnBehalf(address)',
    'approveClaimOnBehalf(address)',
    'approveExchangeOnBehalf(address)',
  ],
  'payments and delegation': [
    'grantPermissions(address,address)', // Superfluid
    'updateFlowOperatorPermissions(address,address,uint8,int96)',
    'addDelegate(address,address)', // Circle's Gateway
    'setDelegatedSigner(address)', // Ethena
    'toggle_approve_mint(address)', // Curve's rewards
    'delegateAll(address,bytes32,bool)', // delegate.xyz
    'delegateForAll(address,bool)',
  ],
} as const satisfies Record<string, readonly string[]>
