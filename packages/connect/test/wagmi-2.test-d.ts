/* Compiled with wagmi 2's types instead of wagmi 3's: tsconfig.wagmi-2.json. */
import { mainnet } from 'viem/chains'
import { createConfig, http } from 'wagmi'
import { lanyard } from '../src/wagmi.ts'

const config = createConfig({
  chains: [mainnet],
  connectors: [lanyard({ wallet: 'https://wallet.example', name: 'Lanyard' })],
  transports: { [mainnet.id]: http() },
})

export const provider = await config.connectors[0]?.getProvider()
