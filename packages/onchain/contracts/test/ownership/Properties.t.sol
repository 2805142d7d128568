// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    GuardianSet,
    GuardianSignature,
    IOwnership,
    Owner,
    OwnershipState
} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice What must hold for all arguments, on the real contracts. forge tries some of them (`test_fuzz_`); the `check_`
/// functions are what Halmos takes for symbolic ones, each from the state after setUp. docs/audit/evidence.md says what was
/// proved elsewhere, and that no prover has run these.
contract OwnershipProperties is OwnershipTest {
    uint48 private constant LIFETIME = 30 days;

    uint48 private _readyAt;

    /// @dev Guardians, a second owner, and a recovery that is running.
    function setUp() public override {
        super.setUp();
        _change(ADD, abi.encode(_eoa(OTHER_OWNER_KEY)));
        _setGuardians(_guardians());
        _start(_only(_eoa(NEW_OWNER_KEY)));
        _readyAt = ownership.stateOf(account).recoveryReadyAt;
    }

    /// @dev No owner changes without an owner's signature over exactly this change. 65 bytes: an owner's key.
    function check_changeIsSigned(uint64 sequence, bytes32 kind, address added, bytes32 r, bytes32 s, uint8 v)
        public
    {
        bytes memory data = abi.encode(_named(added));
        bytes32 hash = ownership.changeHash(account, sequence, kind, data);
        bytes32 before = _ownerHash(account);
        OwnershipState memory state = ownership.stateOf(account);
        try ownership.applyChange(account, sequence, kind, data, abi.encodePacked(r, s, v)) {
            // The Safe also takes what personal_sign signed.
            if (v > 30) {
                hash = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
                v -= 4;
            }
            address signer = ecrecover(hash, v, r, s);
            assert(signer == vm.addr(OWNER_KEY) || signer == vm.addr(OTHER_OWNER_KEY));
            assert(sequence == state.sequence);
            assert(ownership.stateOf(account).sequence == state.sequence + 1);
        } catch {
            _unchanged(before, state);
        }
    }

    /// @dev Only the recovery that was started is executed, after its delay and for 30 days.
    function check_onlyWhatWasStarted(address newOwner, uint256 newThreshold, uint48 time) public {
        vm.assume(time >= block.timestamp);
        vm.warp(time);
        bytes32 before = _ownerHash(account);
        OwnershipState memory state = ownership.stateOf(account);
        try ownership.executeRecovery(account, _only(_named(newOwner)), newThreshold) {
            assert(newOwner == vm.addr(NEW_OWNER_KEY) && newThreshold == 1);
            assert(time >= _readyAt && time <= _readyAt + LIFETIME);
            assert(ownership.stateOf(account).sequence == state.sequence + 1);
            assert(IOwnedSafe(account).getOwners().length == 1 && _owns(account, newOwner));
        } catch {
            _unchanged(before, state);
        }
    }

    /// @dev Guardians' messages change no owner and no sequence, by any signature.
    function check_guardiansChangeNoOwner(
        uint64 sequence,
        uint64 number,
        address newOwner,
        bytes32 r,
        bytes32 s,
        uint8 v
    ) public {
        bytes32 before = _ownerHash(account);
        OwnershipState memory state = ownership.stateOf(account);
        GuardianSignature[] memory signatures = new GuardianSignature[](2);
        for (uint256 i; i < 2; ++i) {
            signatures[i] = GuardianSignature(vm.addr(guardianKeys[i]), abi.encodePacked(r, s, v));
        }
        try ownership.startRecovery(
            account, sequence, number, _only(_named(newOwner)), 1, _guardians(), signatures
        ) {}
            catch {}
        try ownership.cancelRecovery(account, sequence, number, _guardians(), signatures) {} catch {}
        assert(_ownerHash(account) == before);
        assert(ownership.stateOf(account).sequence == state.sequence);
    }

    /// @dev Only the account moves its sequence and head.
    function check_resyncIsOfTheCaller(address caller, uint64 sequence, bytes32 head) public {
        vm.assume(caller != account);
        OwnershipState memory state = ownership.stateOf(account);
        vm.prank(caller);
        try ownership.resync(sequence, head) {} catch {}
        assert(ownership.stateOf(account).sequence == state.sequence);
        assert(ownership.stateOf(account).head == state.head);
    }

    /// @dev The list of owners stays a list: no owner twice, none that is 0 or the sentinel, each an owner.
    function check_ownersStayAList(address first, address second, address removed) public {
        address[3] memory named = [first, second, removed];
        bytes32[3] memory kinds = [ADD, ADD, REMOVE];
        for (uint256 i; i < 3; ++i) {
            uint64 sequence = _sequence();
            bytes memory data = abi.encode(_named(named[i]));
            bytes memory signature = _sign(OTHER_OWNER_KEY, sequence, kinds[i], data);
            try ownership.applyChange(account, sequence, kinds[i], data, signature) {} catch {}
        }
        address[] memory owners = IOwnedSafe(account).getOwners();
        assert(owners.length > 0);
        for (uint256 i; i < owners.length; ++i) {
            assert(owners[i] > address(1) && _owns(account, owners[i]));
            for (uint256 j; j < i; ++j) {
                assert(owners[i] != owners[j]);
            }
        }
    }

    function _unchanged(bytes32 owners, OwnershipState memory state) private view {
        assert(_ownerHash(account) == owners);
        assert(keccak256(abi.encode(ownership.stateOf(account))) == keccak256(abi.encode(state)));
    }

    // Some arguments, of which half are right

    function test_fuzz_changeIsSigned(uint256 seed, address added, bytes32 r, bytes32 s) public {
        uint64 sequence = _sequence() + uint64(seed % 2);
        bytes32 kind = seed & 2 == 0 ? ADD : REMOVE;
        bytes32 hash = ownership.changeHash(account, sequence, kind, abi.encode(_named(added)));
        uint8 v = uint8(seed >> 8);
        if (seed & 4 == 0) (v, r, s) = vm.sign(seed & 8 == 0 ? OWNER_KEY : THIRD_PARTY_KEY, hash);
        check_changeIsSigned(sequence, kind, added, r, s, v);
    }

    function test_fuzz_onlyWhatWasStarted(uint256 seed, address newOwner, uint48 wait) public {
        if (seed & 1 == 0) newOwner = vm.addr(NEW_OWNER_KEY);
        check_onlyWhatWasStarted(newOwner, 1 + (seed >> 1) % 2, uint48(block.timestamp) + wait % 40 days);
    }

    function test_fuzz_guardiansChangeNoOwner(
        uint64 sequence,
        uint64 number,
        address newOwner,
        bytes32 r,
        bytes32 s,
        uint8 v
    ) public {
        check_guardiansChangeNoOwner(sequence, number, newOwner, r, s, v);
    }

    function test_fuzz_resyncIsOfTheCaller(address caller, uint64 sequence, bytes32 head) public {
        check_resyncIsOfTheCaller(caller, sequence, head);
    }

    function test_fuzz_ownersStayAList(address first, address second, uint256 seed) public {
        address[4] memory known = [first, second, vm.addr(OWNER_KEY), vm.addr(OTHER_OWNER_KEY)];
        check_ownersStayAList(known[seed % 4], known[(seed >> 8) % 4], known[(seed >> 16) % 4]);
    }
}
