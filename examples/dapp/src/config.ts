import { lanyard } from '@lanyard/connect/wagmi'
import { defineChain } from 'viem'
import { foundry } from 'viem/chains'
import { createConfig, http } from 'wagmi'

/** URL of the wallet, and of a node of its first network. `npm start` serves both here. */
const wallet: string = import.meta.env.VITE_WALLET ?? 'http://localhost:3000'
const rpcUrl: string = import.meta.env.VITE_RPC_URL ?? 'http://127.0.0.1:8545'

const chain = defineChain({ ...foundry, name: 'Local 1', rpcUrls: { default: { http: [rpcUrl] } } })

export const config = createConfig({
  chains: [chain],
  connectors: [lanyard({ wallet })],
  transports: { [chain.id]: http() },
})
