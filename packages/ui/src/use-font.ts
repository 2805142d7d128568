import { useEffect } from 'react'

/**
 * Shows the wallet's own font once more important files have loaded: it would otherwise compete with the
 * content on a slow connection. After that it is in the browser's cache, and `public/theme.js` applies it
 * immediately.
 *
 * @param isReady - whether the content has loaded
 */
export function useFont(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return
    document.documentElement.dataset.font = ''
    try {
      localStorage.setItem('lanyard.font', 'loaded')
    } catch {
      // Storage is blocked, so the font also loads late next time.
    }
  }, [isReady])
}
