import { describe, expect, test } from '@jest/globals';
import {
  ENDED_BY_RETURN,
  INCIDENT_MOVES,
  INCIDENT_RESOLUTIONS,
  INCIDENT_STATUSES,
  SEVERITY_OF,
  UNSETTLED,
  decideIncidentMove,
  type IncidentMove,
  type IncidentStatus,
} from '../../../modules/binding/rules/incident-states.ts';

const moves = Object.keys(INCIDENT_MOVES) as IncidentMove[];

describe('the statuses of an incident', () => {
  test('[BND-15] include every status and resolution reachable from OPEN, and CLOSED is final', () => {
    const reached = new Set<IncidentStatus>(['OPEN']);
    for (const status of reached)
      for (const move of moves)
        if (decideIncidentMove({ status, resolution: null }, move) === 'moves')
          reached.add(INCIDENT_MOVES[move].to);

    expect([...reached].toSorted()).toEqual([...INCIDENT_STATUSES].toSorted());
    expect(new Set(moves.flatMap((move) => INCIDENT_MOVES[move].resolution ?? []))).toEqual(
      new Set(INCIDENT_RESOLUTIONS),
    );
    for (const resolution of INCIDENT_RESOLUTIONS)
      for (const move of moves)
        expect(decideIncidentMove({ status: 'CLOSED', resolution }, move)).not.toBe('moves');
  });

  test.each([
    ['OPEN', null, 'dismiss', 'moves'],
    ['SNOOZED', null, 'dismiss', 'moves'],
    ['CLOSED', 'DISMISSED', 'dismiss', 'already'],
    ['CLOSED', 'ITEM_RETURNED', 'dismiss', 'refused'],
    ['OPEN', null, 'snooze', 'moves'],
    ['SNOOZED', null, 'snooze', 'moves'],
    ['CLOSED', 'DISMISSED', 'snooze', 'refused'],
    ['OPEN', null, 'reopen', 'refused'],
    ['SNOOZED', null, 'reopen', 'moves'],
    ['SNOOZED', null, 'itemReturns', 'moves'],
    ['CLOSED', 'REBOUND', 'rebind', 'already'],
  ] as const)('%s %s, %s: %s', (status, resolution, move, decision) => {
    expect(decideIncidentMove({ status, resolution }, move)).toBe(decision);
  });
});

test('a missing item is critical, and a new name and a possible replacement are informational', () => {
  expect(SEVERITY_OF).toEqual({
    ITEM_MISSING: 'CRITICAL',
    NAME_CHANGED: 'INFO',
    POSSIBLE_REPLACEMENT: 'INFO',
  });
});

test('incidents about a missing item end when it returns, and a changed name stays', () => {
  expect(ENDED_BY_RETURN).toEqual(['ITEM_MISSING', 'POSSIBLE_REPLACEMENT']);
});

test('an incident is unresolved until it is closed', () => {
  expect(UNSETTLED).toEqual(['OPEN', 'SNOOZED']);
});
