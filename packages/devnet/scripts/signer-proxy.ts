import type { Hex } from 'viem'

/**
 * The creation code of SafeWebAuthnSignerProxy as embedded in the canonical SafeWebAuthnSignerFactory
 * (safe-passkey-module v0.2.1, 0x1d31F259eE307358a26dFb23EB365939E8641195).
 */
const canonicalProxy: Hex =
  '0x610100346100ad57601f6101b538819003918201601f19168301916001600160401b038311848410176100b2578084926080946040528339810103126100ad578051906001600160a01b03821682036100ad5760208101516040820151606090920151926001600160b01b03841684036100ad5760805260a05260c05260e05260405160ec90816100c98239608051816082015260a05181604d015260c051816027015260e0518160010152f35b600080fd5b634e487b7160e01b600052604160045260246000fdfe7f000000000000000000000000000000000000000000000000000000000000000060b63601527f000000000000000000000000000000000000000000000000000000000000000060a03601527f000000000000000000000000000000000000000000000000000000000000000036608001523660006080376000806056360160807f00000000000000000000000000000000000000000000000000000000000000005af43d600060803e60b1573d6080fd5b3d6080f3fea26469706673582212201660515548d15702d720bbc046b457ca85e941a4559ab9f9518488e4c82e5ee964736f6c634300081a0033'

/**
 * Replaces the proxy code in npm's signer factory by the canonical factory's.
 *
 * @safe-global/safe-passkey@0.2.0 on npm is compiled from an older source than the canonical v0.2.1. Its
 * factory creates proxies with different bytes, and therefore at different addresses than real networks. The
 * canonical proxy is shorter, so it replaces the embedded one without moving other code.
 *
 * @param factory creation code of npm's SafeWebAuthnSignerFactory.
 * @param proxy creation code of npm's SafeWebAuthnSignerProxy.
 * @throws if the factory does not copy that proxy exactly once.
 */
export function withCanonicalSignerProxy(factory: Hex, proxy: Hex): Hex {
  const [npm, canonical] = [proxy.slice(2), canonicalProxy.slice(2)]
  const code = replaceOnce(factory, npm, canonical.padEnd(npm.length, '0'))
  return replaceOnce(code, pushLength(npm), pushLength(canonical))
}

/** PUSH2 the length of the code that is copied into memory, DUP1, PUSH2 (its offset follows). */
function pushLength(digits: string): string {
  return `61${(digits.length / 2).toString(16).padStart(4, '0')}8061`
}

function replaceOnce(code: Hex, from: string, to: string): Hex {
  const [before, after, ...more] = code.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('SafeWebAuthnSignerFactory does not hold its proxy exactly once')
  // A cast: replacing hex digits by hex digits leaves hex.
  return `${before}${to}${after}` as Hex
}
