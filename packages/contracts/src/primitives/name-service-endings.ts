/**
 * Endings of names that name services on chains give out and that the DNS does not have. Who types such a name means
 * what the name service says, so no user may take it. The first line: ENS (Basenames and Linea's names end in `.eth` too),
 * SNS, SPACE ID, Avvy, Aptos, Sui, TON, Starknet, Sei, Injective, d.id, Lens and Zilliqa. The others: Unstoppable Domains.
 * Handshake is left out, since any word can be an ending there.
 */
const endings: readonly string[] = [
  ...['eth', 'sol', 'bnb', 'arb', 'avax', 'apt', 'sui', 'ton', 'stark', 'sei', 'inj', 'bit', 'lens', 'zil'],
  ...['altimist', 'anime', 'austin', 'binanceus', 'bitcoin', 'blockchain', 'clay', 'crypto', 'dao', 'farms'],
  ...[
    'hi',
    'klever',
    'kresus',
    'manga',
    'metropolis',
    'nft',
    'polygon',
    'pudgy',
    'raiin',
    'secret',
    'smobler',
  ],
  ...['stepn', 'tball', 'ubu', 'unstoppable', 'wallet', 'wrkx', 'x', '888'],
]

/** IDNA reads these as the dot between labels (UTS 46 §2.3); a dot at the end changes nothing. */
const ending = /[.\u3002\uff0e\uff61]([\p{L}\p{N}]+)[.\u3002\uff0e\uff61]?$/u

/** Whether a name is one that a name service could resolve: `vitalik.eth`. An e-mail address is none. */
export function isNameServiceName(name: string): boolean {
  const last = ending.exec(name.trim())?.[1]
  return last !== undefined && !name.includes('@') && endings.includes(last.toLowerCase())
}
