import { parseAbi } from 'viem'

/** ERC-1271: of accounts, and of contracts that own a Safe (SafeWebAuthnSharedSigner, SafeWebAuthnSignerProxy). */
export const erc1271Abi = /* @__PURE__ */ parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4 magicValue)',
])
