import { useEffect } from 'react'

/**
 * Shows the wallet's own font once what matters more has been loaded: its file would share a slow connection with the
 * content. From then on it is in the browser's cache, and `public/theme.js` shows it at once.
 *
 * @param isReady whether the content is there.
 */
export function useFont(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return
    document.documentElement.dataset.font = ''
    try {
      localStorage.setItem('lanyard.font', 'loaded')
    } catch {
      // Storage is blocked: the font comes late next time, too.
    }
  }, [isReady])
}
