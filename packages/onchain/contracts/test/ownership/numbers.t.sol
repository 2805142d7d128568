// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice Guardians correct and take back what they signed: numbers within one sequence.
contract RecoveryNumbersTest is OwnershipTest {
    uint64 private constant STEP = 2 ** 32;
    uint48 private constant LIFETIME = 30 days;

    Owner[] private wrong;
    Owner[] private right;

    function setUp() public override {
        super.setUp();
        wrong.push(_eoa(THIRD_PARTY_KEY));
        right.push(_eoa(NEW_OWNER_KEY));
        _setGuardians(_guardians());
    }

    /// @dev Two of three were deceived. All three replace what the two started, and the delay begins anew.
    function test_replacesWhatRuns() public {
        _startAs(1, wrong, 0);
        uint256 began = block.timestamp;
        vm.warp(began + DELAY - 1);
        bytes32 deceived = ownership.stateOf(account).recovery;
        bytes32 corrected = ownership.recoveryHash(account, 1, 2, right, 1);
        GuardianSignature[] memory signatures = _byGuardians(corrected, 1, 2);
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryCancelled(account, deceived);
        ownership.startRecovery(account, 1, 2, right, 1, _guardians(), signatures);
        vm.warp(began + DELAY);
        _expectNoRecovery(wrong);
        vm.expectRevert(
            abi.encodeWithSelector(IOwnership.RecoveryNotReady.selector, began + 2 * uint256(DELAY) - 1)
        );
        ownership.executeRecovery(account, right, 1);
        vm.warp(began + 2 * uint256(DELAY) - 1);
        ownership.executeRecovery(account, right, 1);
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "the corrected one");
    }

    /// @dev A signature that was replaced starts nothing, whoever sends it.
    function test_error_WrongNumber_replaced() public {
        _startAs(2, right, 0);
        _refusedStart(1, wrong, 2);
        _refusedStart(2, wrong, 2);
    }

    function test_error_WrongNumber_bounds() public {
        _startAs(7, wrong, 0);
        _refusedStart(7, right, 7);
        _refusedStart(0, right, 7);
        _refusedStart(7 + STEP + 1, right, 7);
        _startAs(7 + STEP, right, 0);
        assertEq(ownership.stateOf(account).number, 7 + STEP, "the highest seen");
    }

    function test_error_WrongNumber_zero() public {
        _refusedStart(0, right, 0);
        _refusedStart(STEP + 1, right, 0);
    }

    function test_cancel() public {
        _startAs(3, wrong, 0);
        bytes32 running = ownership.stateOf(account).recovery;
        GuardianSignature[] memory signatures = _byGuardians(ownership.cancelHash(account, 1, 5), 1, 2);
        GuardianSet memory set = _guardians();
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveriesCancelled(account, 1, 5, set, signatures);
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryCancelled(account, running);
        ownership.cancelRecovery(account, 1, 5, set, signatures);
        assertTrue(ownership.stateOf(account).recovery == 0, "ended");
        assertEq(ownership.stateOf(account).number, 5, "the highest seen");
        assertEq(_sequence(), 1, "not consumed");
        // Everything up to it is void, and what comes after it starts at once.
        _refusedStart(4, right, 5);
        _refusedStart(5, right, 5);
        _startAs(6, right, 0);
    }

    /// @dev The number of what runs, or the same cancellation again: on a network where it came later.
    function test_cancel_theHighestSeen() public {
        _startAs(3, wrong, 0);
        _cancelAs(3);
        assertTrue(ownership.stateOf(account).recovery == 0, "ended");
        _cancelAs(3);
        _refusedStart(3, wrong, 3);
    }

    /// @dev Before anything was started here, so that it cannot start.
    function test_cancel_beforeTheStart() public {
        _cancelAs(1);
        _refusedStart(1, wrong, 1);
        _startAs(2, right, 0);
    }

    function test_error_cancel_WrongNumber() public {
        _startAs(3, wrong, 0);
        _refusedCancel(2, 3);
        _refusedCancel(3 + STEP + 1, 3);
        _cancelAs(3 + STEP);
    }

    function test_error_cancel_signatures() public {
        _startAs(1, wrong, 0);
        GuardianSet memory set = _guardians();
        bytes32 hash = ownership.cancelHash(account, 1, 1);
        GuardianSignature[] memory signatures = _byGuardians(hash, 0, 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
        ownership.cancelRecovery(account, 1, 1, set, signatures);
        // Of another number, sequence, or of what starts.
        signatures = _byGuardians(ownership.cancelHash(account, 1, 2), 0, 2);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
        ownership.cancelRecovery(account, 1, 1, set, signatures);
        signatures = _byGuardians(ownership.recoveryHash(account, 1, 1, wrong, 1), 0, 2);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
        ownership.cancelRecovery(account, 1, 1, set, signatures);
        signatures = _byGuardians(ownership.cancelHash(account, 2, 1), 0, 2);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 2, 1));
        ownership.cancelRecovery(account, 2, 1, set, signatures);
        set.delay = 1 days;
        signatures = _byGuardians(hash, 0, 2);
        vm.expectRevert(_error(IOwnership.OtherGuardians.selector));
        ownership.cancelRecovery(account, 1, 1, set, signatures);
        assertTrue(ownership.stateOf(account).recovery != 0, "still running");
    }

    function test_lapses() public {
        _startAs(1, right, 0);
        vm.warp(block.timestamp + DELAY + LIFETIME);
        uint256 last = _snapshot();
        ownership.executeRecovery(account, right, 1);
        _goTo(last, 1);
        vm.warp(block.timestamp + 1);
        assertTrue(ownership.stateOf(account).recovery == 0, "lapsed");
        _expectNoRecovery(right);
        // The same message never starts again; a new number does.
        _refusedStart(1, right, 1);
        _startAs(2, right, 0);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, right, 1);
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "recovered");
    }

    /// @dev A sequence has its own numbers.
    function test_beginsAnewWithTheSequence() public {
        _startAs(9, wrong, 0);
        _change(CANCEL, "");
        assertEq(ownership.stateOf(account).number, 0, "none seen");
        bytes32 hash = ownership.recoveryHash(account, 2, 1, right, 1);
        ownership.startRecovery(account, 2, 1, right, 1, _guardians(), _byGuardians(hash, 0, 2));
    }

    /// @dev Networks that saw different numbers of the same result are not split.
    function test_headsWithoutTheNumber() public {
        uint256 other = _snapshot();
        _startAs(1, wrong, 0);
        _startAs(2, right, 0);
        bytes32 head = _executedHead();
        _goTo(other, 137);
        _startAs(3, right, 0);
        assertTrue(_executedHead() == head, "the same head");
        _goTo(other, 137);
        _startAs(1, wrong, 0);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, wrong, 1);
        assertTrue(ownership.stateOf(account).head != head, "split by another result");
    }

    /// @dev Guardians who start again and again move the date of theirs only.
    function test_successorsAreNotPostponed() public {
        _startAs(1, wrong, 0);
        uint48 readyAt = ownership.stateOf(account).recoveryReadyAt;
        _setGuardians(_guardian(vm.addr(OTHER_OWNER_KEY)));
        vm.warp(block.timestamp + 1 days);
        for (uint64 number = 1; number < 4; ++number) {
            bytes32 hash = ownership.recoveryHash(account, 2, number, wrong, 1);
            ownership.startRecovery(account, 2, number, wrong, 1, _guardians(), _byGuardians(hash, 0, 2));
        }
        assertEq(ownership.stateOf(account).nextGuardiansFrom, readyAt, "the same date");
        vm.warp(readyAt);
        GuardianSignature[] memory signatures = _byGuardians(ownership.cancelHash(account, 2, 9), 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(_error(IOwnership.OtherGuardians.selector));
        ownership.cancelRecovery(account, 2, 9, set, signatures);
    }

    /// @dev Nor do their successors start what the former guardians had started.
    function test_error_WrongNumber_ofFormerGuardians() public {
        _startAs(1, wrong, 0);
        GuardianSet memory successors = _guardian(vm.addr(OTHER_OWNER_KEY));
        uint48 readyAt = ownership.stateOf(account).recoveryReadyAt;
        _setGuardians(successors);
        bytes32 hash = ownership.recoveryHash(account, 2, 5, wrong, 1);
        ownership.startRecovery(account, 2, 5, wrong, 1, _guardians(), _byGuardians(hash, 0, 2));
        vm.warp(readyAt);
        // The former ones start nothing any more.
        hash = ownership.recoveryHash(account, 2, 6, wrong, 1);
        GuardianSignature[] memory signatures = _byGuardians(hash, 0, 2);
        GuardianSet memory former = _guardians();
        vm.expectRevert(_error(IOwnership.OtherGuardians.selector));
        ownership.startRecovery(account, 2, 6, wrong, 1, former, signatures);
        signatures = new GuardianSignature[](1);
        for (uint64 number = 5; number < 7; ++number) {
            hash = ownership.recoveryHash(account, 2, number, right, 1);
            signatures[0] = GuardianSignature(vm.addr(OTHER_OWNER_KEY), _keySignature(OTHER_OWNER_KEY, hash));
            if (number == 5) vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongNumber.selector, 5, 5));
            ownership.startRecovery(account, 2, number, right, 1, successors, signatures);
        }
    }

    /// @dev Guardians whose time has come act at once: by a start, and by a cancellation.
    function test_newGuardiansAct() public {
        _startAs(1, wrong, 0);
        uint48 readyAt = ownership.stateOf(account).recoveryReadyAt;
        GuardianSet memory successors = _guardian(vm.addr(OTHER_OWNER_KEY));
        _setGuardians(successors);
        vm.warp(readyAt);
        GuardianSignature[] memory signatures = new GuardianSignature[](1);
        bytes32 hash = ownership.recoveryHash(account, 2, 1, right, 1);
        signatures[0] = GuardianSignature(vm.addr(OTHER_OWNER_KEY), _keySignature(OTHER_OWNER_KEY, hash));
        ownership.startRecovery(account, 2, 1, right, 1, successors, signatures);
        assertTrue(ownership.stateOf(account).recovery == hash, "started");
        hash = ownership.cancelHash(account, 2, 1);
        signatures[0].signature = _keySignature(OTHER_OWNER_KEY, hash);
        ownership.cancelRecovery(account, 2, 1, successors, signatures);
        assertTrue(ownership.stateOf(account).recovery == 0, "cancelled");
    }

    function test_error_SignatureTooLong() public {
        GuardianSignature[] memory signatures = _byGuardians(ownership.cancelHash(account, 1, 1), 0, 2);
        address accepting = address(new AcceptingGuardian());
        _setGuardians(_guardian(accepting));
        signatures = new GuardianSignature[](1);
        signatures[0] = GuardianSignature(accepting, new bytes(2_049));
        GuardianSet memory set = _guardian(accepting);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.SignatureTooLong.selector, 2_049));
        ownership.startRecovery(account, 2, 1, right, 1, set, signatures);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.SignatureTooLong.selector, 2_049));
        ownership.cancelRecovery(account, 2, 1, set, signatures);
        signatures[0].signature = new bytes(2_048);
        ownership.startRecovery(account, 2, 1, right, 1, set, signatures);
    }

    function _executedHead() private returns (bytes32) {
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, right, 1);
        return ownership.stateOf(account).head;
    }

    function _startAs(uint64 number, Owner[] memory owners, uint256 from) private {
        bytes32 hash = ownership.recoveryHash(account, 1, number, owners, 1);
        ownership.startRecovery(account, 1, number, owners, 1, _guardians(), _byGuardians(hash, from, 2));
    }

    function _cancelAs(uint64 number) private {
        ownership.cancelRecovery(
            account, 1, number, _guardians(), _byGuardians(ownership.cancelHash(account, 1, number), 0, 2)
        );
    }

    function _refusedStart(uint64 number, Owner[] memory owners, uint64 highest) private {
        bytes32 hash = ownership.recoveryHash(account, 1, number, owners, 1);
        GuardianSignature[] memory signatures = _byGuardians(hash, 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongNumber.selector, number, highest));
        ownership.startRecovery(account, 1, number, owners, 1, set, signatures);
    }

    function _refusedCancel(uint64 number, uint64 highest) private {
        GuardianSignature[] memory signatures = _byGuardians(ownership.cancelHash(account, 1, number), 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongNumber.selector, number, highest));
        ownership.cancelRecovery(account, 1, number, set, signatures);
    }

    function _expectNoRecovery(Owner[] memory owners) private {
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, owners, 1);
    }
}

contract AcceptingGuardian {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}
