import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './components/app.tsx'
import { Desk } from './desk.ts'
import { keepFocus } from './keep-focus.ts'
import { contextStateAt } from './workflow/history.ts'

const desk = new Desk()
const place = document.getElementById('operator')
if (place) render(<App desk={desk} />, place)
keepFocus(desk.store)
const TITLES = { run: 'Run', runs: 'Runs', told: 'What was sent' } as const
effect(() => {
  const { view, head, time } = desk.store
  const run = view.value.screen === 'run' ? head.value : null
  const { screen } = view.value
  const name = run ? (contextStateAt(run, time.value) ?? run).purpose : TITLES[screen]
  document.title = `${name} · Walkon`
})
void desk.start()
