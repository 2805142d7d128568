/** The chain id of a network in any form that requests accept: 31337, `31337`, `eip155:31337`. */
export const toChainId = (network: string | number): number => Number(String(network).replace('eip155:', ''))
