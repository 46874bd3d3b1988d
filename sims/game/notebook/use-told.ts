import { useEffect, useState } from 'preact/hooks'

/** As long as somebody may take between two letters. */
const PAUSE_MS = 600

/** A text for a live region: as it is once it has stood still, so that nothing is read out letter by letter. */
export function useTold(text: string): string {
  const [told, setTold] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return told
}
