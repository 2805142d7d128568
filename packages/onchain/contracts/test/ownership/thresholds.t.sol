// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PINS, SESSIONS} from "../../interfaces/IEpochs.sol";
import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

interface IApprovingSafe {
    function approveHash(bytes32 hash) external;
}

/// @notice Accounts whose changes several owners sign.
contract ThresholdsTest is OwnershipTest {
    uint256 private constant THIRD_KEY = 0xC0C;

    /// @dev Owners are OWNER_KEY, NEW_OWNER_KEY and THIRD_KEY, of which two sign.
    function setUp() public override {
        super.setUp();
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        _change(ADD, abi.encode(_eoa(THIRD_KEY)));
    }

    function test_setThreshold() public {
        _grant(_session());
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "pinned at 1");
        _change(SET_THRESHOLD, abi.encode(2));
        assertEq(IOwnedSafe(account).getThreshold(), 2, "threshold");
        assertTrue(!_owns(account, address(sessionKeys)), "SessionKeys left");
        assertEq(sessionKeys.keysOf(account).length, 0, "sessions ended");
        assertEq(pins.signerUntil(account, pin), block.timestamp + 1 days, "pins end");
        assertEq(epochs.epochOf(account, PINS), 1, "one epoch");
        assertEq(epochs.epochOf(account, SESSIONS), 1, "of each");
        // And back, by two.
        _changeByTwo(SET_THRESHOLD, abi.encode(1));
        assertEq(IOwnedSafe(account).getThreshold(), 1, "threshold");
        assertEq(epochs.epochOf(account, PINS), 1, "nothing ends");
        assertEq(epochs.epochOf(account, SESSIONS), 1, "on the way down");
        _change(CANCEL, "");
    }

    /// @dev SessionKeys has left with the first change.
    function test_setThreshold_raisedAgain() public {
        _change(SET_THRESHOLD, abi.encode(2));
        _changeByTwo(SET_THRESHOLD, abi.encode(3));
        assertEq(IOwnedSafe(account).getThreshold(), 3, "threshold");
        assertEq(IOwnedSafe(account).getOwners().length, 3, "the owners that there were");
    }

    /// @dev The threshold that there is: pins and sessions stay.
    function test_setThreshold_toOneAgain() public {
        _grant(_session());
        _change(SET_THRESHOLD, abi.encode(1));
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "pinned");
        assertEq(sessionKeys.keysOf(account).length, 1, "a session");
        assertTrue(_owns(account, address(sessionKeys)), "which acts");
    }

    /// @dev SessionKeys counted for the Safe: it leaves with the new threshold, not before it.
    function test_setThreshold_afterThatOfTheAccount() public {
        vm.prank(account);
        IOwnedSafe(account).changeThreshold(4);
        bytes memory data = abi.encode(3);
        bytes32 hash = ownership.changeHash(account, 2, SET_THRESHOLD, data);
        uint256[] memory three = new uint256[](3);
        (three[0], three[1], three[2]) = (OWNER_KEY, NEW_OWNER_KEY, THIRD_KEY);
        // Four are needed, of which one is SessionKeys: only the account itself leads out of that.
        bytes memory signatures = _signedBy(three, hash);
        vm.expectRevert(bytes("GS020"));
        ownership.applyChange(account, 2, SET_THRESHOLD, data, signatures);
    }

    function test_error_setThreshold() public {
        _refused(SET_THRESHOLD, abi.encode(0), abi.encodeWithSelector(IOwnership.InvalidThreshold.selector));
        // SessionKeys is the fourth owner, and does not count.
        _refused(SET_THRESHOLD, abi.encode(4), _error(IOwnership.TooFewOwners.selector));
    }

    function test_addsAndRemovesAtTwo() public {
        _change(SET_THRESHOLD, abi.encode(2));
        _changeByTwo(ADD, abi.encode(_eoa(OTHER_OWNER_KEY)));
        assertTrue(_owns(account, vm.addr(OTHER_OWNER_KEY)), "added");
        assertEq(IOwnedSafe(account).getThreshold(), 2, "kept");
        bytes32 pin = bytes32(uint256(uint160(vm.addr(OTHER_OWNER_KEY))));
        assertEq(pins.signerUntil(account, pin), 0, "nothing is pinned above 1");
        _changeByTwo(REMOVE, abi.encode(_eoa(THIRD_KEY)));
        assertEq(IOwnedSafe(account).getThreshold(), 2, "kept");
        _changeByTwo(REPLACE, abi.encode(_eoa(OTHER_OWNER_KEY), _passkey(OTHER_PASSKEY)));
        assertEq(IOwnedSafe(account).getThreshold(), 2, "kept");
        assertEq(pins.signerUntil(account, keccak256(_passkey(OTHER_PASSKEY).key)), 0, "nor is a passkey");
        _changeByTwo(REMOVE, abi.encode(_passkey(OTHER_PASSKEY)));
        // Two are left, and two sign.
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        bytes memory signatures = _byTwo(REMOVE, data);
        uint64 sequence = _sequence();
        vm.expectRevert(_error(IOwnership.TooFewOwners.selector));
        ownership.applyChange(account, sequence, REMOVE, data, signatures);
    }

    /// @dev One signature, one owner twice, a third party, and the wrong order.
    function test_error_signatures() public {
        _change(SET_THRESHOLD, abi.encode(2));
        bytes memory data = abi.encode(_eoa(OTHER_OWNER_KEY));
        bytes32 hash = ownership.changeHash(account, 3, ADD, data);
        bytes memory one = _keySignature(OWNER_KEY, hash);
        _refusedSignatures(data, one, "GS020");
        _refusedSignatures(data, bytes.concat(one, one), "GS026");
        _refusedSignatures(data, bytes.concat(one, _keySignature(THIRD_PARTY_KEY, hash)), "GS026");
        uint256[] memory keys = _ascending(OWNER_KEY, NEW_OWNER_KEY);
        _refusedSignatures(
            data, bytes.concat(_keySignature(keys[1], hash), _keySignature(keys[0], hash)), "GS026"
        );
    }

    /// @dev An approval of any of the owners would hold on this network only.
    function test_error_ApprovedHash_anywhere() public {
        _change(SET_THRESHOLD, abi.encode(2));
        bytes memory data = abi.encode(_eoa(OTHER_OWNER_KEY));
        bytes32 hash = ownership.changeHash(account, 3, ADD, data);
        uint256[] memory keys = _ascending(OWNER_KEY, NEW_OWNER_KEY);
        for (uint256 i; i < 2; ++i) {
            vm.prank(vm.addr(keys[i]));
            IApprovingSafe(account).approveHash(hash);
            bytes memory approved = abi.encodePacked(uint256(uint160(vm.addr(keys[i]))), uint256(0), uint8(1));
            bytes memory signed = _keySignature(keys[1 - i], hash);
            bytes memory signatures = i == 0 ? bytes.concat(approved, signed) : bytes.concat(signed, approved);
            vm.expectRevert(abi.encodeWithSelector(IOwnership.ApprovedHash.selector));
            ownership.applyChange(account, 3, ADD, data, signatures);
        }
    }

    /// @dev Of the module itself, which needs no approval: not at any place either.
    function test_moduleAsSecondOwner() public {
        _change(SET_THRESHOLD, abi.encode(2));
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(ownership), 2);
        bytes memory data = abi.encode(_eoa(OTHER_OWNER_KEY));
        bytes memory signed = _keySignature(OWNER_KEY, ownership.changeHash(account, 3, ADD, data));
        bytes memory own = abi.encodePacked(uint256(uint160(address(ownership))), uint256(0), uint8(1));
        bool isFirst = address(ownership) < vm.addr(OWNER_KEY);
        bytes memory signatures = isFirst ? bytes.concat(own, signed) : bytes.concat(signed, own);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.ApprovedHash.selector));
        ownership.applyChange(account, 3, ADD, data, signatures);
    }

    function test_signatureLength() public {
        bytes memory data = abi.encode(_eoa(OTHER_OWNER_KEY));
        bytes memory one = _sign(OWNER_KEY, 2, ADD, data);
        bytes memory longest = bytes.concat(one, new bytes(2_048 - 65));
        bytes memory longer = bytes.concat(longest, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IOwnership.SignatureTooLong.selector, 2_049));
        ownership.applyChange(account, 2, ADD, data, longer);
        ownership.applyChange(account, 2, ADD, data, longest);
        _change(SET_THRESHOLD, abi.encode(2));
        data = abi.encode(_eoa(THIRD_PARTY_KEY));
        bytes memory two = _byTwo(ADD, data);
        longest = bytes.concat(two, new bytes(4_096 - 130));
        longer = bytes.concat(longest, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IOwnership.SignatureTooLong.selector, 4_097));
        ownership.applyChange(account, 4, ADD, data, longer);
        ownership.applyChange(account, 4, ADD, data, longest);
    }

    // Recoveries

    function test_recoversToTwo() public {
        _grant(_session());
        _setGuardians(_guardians());
        Owner[] memory owners = _two();
        _startWith(owners, 2);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 2);
        assertEq(IOwnedSafe(account).getOwners().length, 2, "owners");
        assertEq(IOwnedSafe(account).getThreshold(), 2, "threshold");
        assertEq(pins.signerUntil(account, keccak256(_passkey(OTHER_PASSKEY).key)), 0, "nothing pinned");
        assertEq(epochs.epochOf(account, PINS), 1, "one epoch");
        assertEq(epochs.epochOf(account, SESSIONS), 1, "of each");
    }

    /// @dev From two to one, and whatever the threshold became during the delay.
    function test_setsExactlyTheThreshold() public {
        _setGuardians(_guardians());
        uint256 begin = _snapshot();
        for (uint256 threshold = 1; threshold < 5; ++threshold) {
            for (uint256 wanted = 1; wanted < 3; ++wanted) {
                Owner[] memory owners = _two();
                _startWith(owners, wanted);
                vm.prank(account);
                IOwnedSafe(account).changeThreshold(threshold);
                vm.warp(block.timestamp + DELAY);
                ownership.executeRecovery(account, owners, wanted);
                assertEq(IOwnedSafe(account).getThreshold(), wanted, "as signed");
                assertEq(IOwnedSafe(account).getOwners().length, 2, "only the new owners");
                _goTo(begin, 1);
            }
        }
    }

    /// @dev Owners stay, so nothing but the threshold changes.
    function test_changesOnlyTheThreshold() public {
        _change(REVOKE_SESSIONS, "");
        _setGuardians(_guardians());
        Owner[] memory owners = new Owner[](3);
        (owners[0], owners[1], owners[2]) = (_eoa(OWNER_KEY), _eoa(NEW_OWNER_KEY), _eoa(THIRD_KEY));
        _startWith(owners, 3);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 3);
        assertEq(IOwnedSafe(account).getThreshold(), 3, "threshold");
        assertEq(IOwnedSafe(account).getOwners().length, 3, "owners");
    }

    function test_error_tooFewNewOwners() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _two();
        _refusedStart(owners, 3, _error(IOwnership.TooFewOwners.selector));
        owners[1] = owners[0];
        _refusedStart(owners, 2, _error(IOwnership.TooFewOwners.selector));
        _refusedStart(owners, 0, abi.encodeWithSelector(IOwnership.InvalidThreshold.selector));
        // A passkey and the address of its signer contract are one owner, wherever it owns the account.
        owners[1] = _named(_signerOf(OTHER_PASSKEY));
        owners[0] = _passkey(OTHER_PASSKEY);
        _refusedStart(owners, 2, _error(IOwnership.TooFewOwners.selector));
    }

    /// @dev The threshold is signed.
    function test_error_otherThreshold() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _two();
        _startWith(owners, 2);
        vm.warp(block.timestamp + DELAY);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, owners, 1);
    }

    function _two() private view returns (Owner[] memory owners) {
        owners = new Owner[](2);
        (owners[0], owners[1]) = (_eoa(OTHER_OWNER_KEY), _passkey(OTHER_PASSKEY));
    }

    function _startWith(Owner[] memory owners, uint256 threshold) private {
        bytes32 hash = ownership.recoveryHash(account, _sequence(), _nextNumber(), owners, threshold);
        ownership.startRecovery(
            account, _sequence(), _nextNumber(), owners, threshold, _guardians(), _byGuardians(hash, 0, 2)
        );
    }

    function _refusedStart(Owner[] memory owners, uint256 threshold, bytes memory reason) private {
        uint64 sequence = _sequence();
        bytes32 hash = ownership.recoveryHash(account, sequence, 1, owners, threshold);
        GuardianSignature[] memory signatures = _byGuardians(hash, 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(reason);
        ownership.startRecovery(account, sequence, 1, owners, threshold, set, signatures);
    }

    function _refused(bytes32 kind, bytes memory data, bytes memory reason) private {
        uint64 sequence = _sequence();
        bytes memory signature = _sign(OWNER_KEY, sequence, kind, data);
        vm.expectRevert(reason);
        ownership.applyChange(account, sequence, kind, data, signature);
    }

    function _refusedSignatures(bytes memory data, bytes memory signatures, string memory reason) private {
        vm.expectRevert(bytes(reason));
        ownership.applyChange(account, 3, ADD, data, signatures);
    }

    function _changeByTwo(bytes32 kind, bytes memory data) private {
        bytes memory signatures = _byTwo(kind, data);
        ownership.applyChange(account, _sequence(), kind, data, signatures);
    }

    function _byTwo(bytes32 kind, bytes memory data) private view returns (bytes memory) {
        return _signedBy(
            _ascending(OWNER_KEY, NEW_OWNER_KEY), ownership.changeHash(account, _sequence(), kind, data)
        );
    }

    function _signedBy(uint256[] memory keys, bytes32 hash) private pure returns (bytes memory signatures) {
        for (uint256 i; i < keys.length; ++i) {
            signatures = bytes.concat(signatures, _keySignature(keys[i], hash));
        }
    }

    /// @dev In the order of their addresses, as Safe wants signatures.
    function _ascending(uint256 a, uint256 b) private pure returns (uint256[] memory keys) {
        keys = new uint256[](2);
        (keys[0], keys[1]) = vm.addr(a) < vm.addr(b) ? (a, b) : (b, a);
    }
}
