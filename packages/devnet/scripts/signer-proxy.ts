import type { Hex } from 'viem'

/**
 * The creation code of SafeWebAuthnSignerProxy as the canonical SafeWebAuthnSignerFactory (safe-passkey-module
 * v0.2.1, 0x1d31F259eE307358a26dFb23EB365939E8641195) embeds it.
 */
const canonicalProxy =
  '610100346100ad57601f6101b538819003918201601f19168301916001600160401b038311848410176100b2578084926080946040528339810103126100ad578051906001600160a01b03821682036100ad5760208101516040820151606090920151926001600160b01b03841684036100ad5760805260a05260c05260e05260405160ec90816100c98239608051816082015260a05181604d015260c051816027015260e0518160010152f35b600080fd5b634e487b7160e01b600052604160045260246000fdfe7f000000000000000000000000000000000000000000000000000000000000000060b63601527f000000000000000000000000000000000000000000000000000000000000000060a03601527f000000000000000000000000000000000000000000000000000000000000000036608001523660006080376000806056360160807f00000000000000000000000000000000000000000000000000000000000000005af43d600060803e60b1573d6080fd5b3d6080f3fea26469706673582212201660515548d15702d720bbc046b457ca85e941a4559ab9f9518488e4c82e5ee964736f6c634300081a0033'

/** The proxy that npm's factory copies into memory, at these bytes of its runtime code. */
const npmProxy = { offset: 0x70b, length: 0x1ee }

/** PUSH2 its length, DUP1, PUSH2 its offset. */
const copies = (length: number) => `61${word(length)}8061${word(npmProxy.offset)}`
const word = (value: number) => value.toString(16).padStart(4, '0')

/** Where the creation code holds the runtime code. */
const runtimeOffset = 135

/**
 * Gives npm's signer factory the proxies of the canonical one.
 *
 * @safe-global/safe-passkey@0.2.0 on npm is compiled from an older source than the canonical v0.2.1, so its factory
 * makes proxies of other bytes, and hence at other addresses than real networks. The canonical proxy is the shorter
 * one: it takes the place of the embedded one, and no other offset moves.
 *
 * @throws when the bytecode is another than that of safe-passkey 0.2.0.
 */
export function withCanonicalSignerProxy(initCode: Hex): Hex {
  const start = 2 + (runtimeOffset + npmProxy.offset) * 2
  const end = start + npmProxy.length * 2
  // The free memory pointer's initialisation, with which every contract and so the proxy begins.
  if (!initCode.includes(copies(npmProxy.length)) || !initCode.startsWith('60', start))
    throw new Error('SafeWebAuthnSignerFactory is not that of @safe-global/safe-passkey 0.2.0')
  const code = initCode.slice(0, start) + canonicalProxy.padEnd(npmProxy.length * 2, '0') + initCode.slice(end)
  // A cast: replacing hex digits by hex digits leaves hex.
  return code.replace(copies(npmProxy.length), copies(canonicalProxy.length / 2)) as Hex
}
