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

contract RecoveryTest is OwnershipTest {
    Owner[] private lost;

    function setUp() public override {
        super.setUp();
        lost.push(_passkey(OTHER_PASSKEY));
        lost.push(_eoa(NEW_OWNER_KEY));
        _setGuardians(_guardians());
    }

    function test_default() public {
        _grant(_session());
        _start(lost);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, lost, 1);
        assertEq(IOwnedSafe(account).getOwners().length, 2, "only the new owners");
        assertTrue(_owns(account, _signerOf(OTHER_PASSKEY)), "passkey");
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "EOA");
        assertEq(sessionKeys.keysOf(account).length, 0, "sessions ended");
        assertEq(_sequence(), 2, "consumed");
        bytes32 pin = bytes32(uint256(uint160(vm.addr(NEW_OWNER_KEY))));
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "pinned");
    }

    function test_pinsOfLostOwnersEnd() public {
        _change(ADD, abi.encode(_passkey(PASSKEY)));
        bytes32 pin = keccak256(_passkey(PASSKEY).key);
        assertEq(pins.signerUntil(account, pin), type(uint48).max, "pinned");
        Owner[] memory found = _only(_eoa(OWNER_KEY));
        _start(found);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, found, 1);
        assertTrue(!_owns(account, _signerOf(PASSKEY)), "removed");
        assertEq(pins.signerUntil(account, pin), block.timestamp + 1 days, "unpinned");
        assertTrue(_owns(account, vm.addr(OWNER_KEY)), "an owner may stay");
    }

    function test_error_RecoveryNotReady() public {
        _start(lost);
        uint256 readyAt = block.timestamp + DELAY;
        vm.warp(readyAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnership.RecoveryNotReady.selector, readyAt));
        ownership.executeRecovery(account, lost, 1);
    }

    function test_error_NoRecovery() public {
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, lost, 1);
        _start(lost);
        vm.warp(block.timestamp + DELAY);
        Owner[] memory others = _only(_eoa(THIRD_PARTY_KEY));
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, others, 1);
        ownership.executeRecovery(account, lost, 1);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, lost, 1);
    }

    function test_cancel() public {
        _start(lost);
        _change(CANCEL, "");
        assertTrue(ownership.stateOf(account).recovery == 0, "cancelled");
        vm.warp(block.timestamp + DELAY);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, lost, 1);
        // What guardians signed is of a sequence that is consumed.
        Owner[] memory owners = lost;
        bytes32 hash = ownership.recoveryHash(account, 1, 1, owners, 1);
        GuardianSignature[] memory signatures = new GuardianSignature[](2);
        for (uint256 i; i < 2; ++i) {
            signatures[i] = GuardianSignature(vm.addr(guardianKeys[i]), _keySignature(guardianKeys[i], hash));
        }
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.WrongSequence.selector, 1, 2));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
    }

    function test_error_NotSignedByGuardians() public {
        Owner[] memory owners = lost;
        _unsigned(owners, _signRecovery(owners, 0, 1));
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        signatures[1] = signatures[0];
        _unsigned(owners, signatures);
        signatures = _signRecovery(owners, 0, 2);
        (signatures[0], signatures[1]) = (signatures[1], signatures[0]);
        _unsigned(owners, signatures);
        signatures = _signRecovery(owners, 0, 2);
        signatures[1].signature = signatures[0].signature;
        _unsigned(owners, signatures);
        // A third party, whether it says who it is or not.
        bytes32 hash = ownership.recoveryHash(account, 1, 1, owners, 1);
        signatures = _signRecovery(owners, 0, 2);
        signatures[1].signature = _keySignature(THIRD_PARTY_KEY, hash);
        _unsigned(owners, signatures);
        signatures[1].guardian = address(type(uint160).max);
        _unsigned(owners, signatures);
        // Of other owners, and too many of which one is wrong.
        _unsigned(owners, _signRecovery(_only(_eoa(THIRD_PARTY_KEY)), 0, 2));
        signatures = _signRecovery(owners, 0, 3);
        signatures[2].signature = "";
        _unsigned(owners, signatures);
    }

    /// @dev A third party that says who it is, signs correctly, and comes in the right order.
    function test_error_NotSignedByGuardians_outsider() public {
        Owner[] memory owners = lost;
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        uint256 outsider = 0x7E57;
        while (vm.addr(outsider) < signatures[0].guardian) {
            ++outsider;
        }
        bytes memory signature = _keySignature(outsider, ownership.recoveryHash(account, 1, 1, owners, 1));
        signatures[1] = GuardianSignature(vm.addr(outsider), signature);
        _unsigned(owners, signatures);
    }

    function test_error_OtherGuardians() public {
        Owner[] memory owners = lost;
        GuardianSignature[] memory signatures = _signRecovery(owners, 0, 2);
        GuardianSet memory set = _guardians();
        set.threshold = 1;
        vm.expectRevert(_error(IOwnership.OtherGuardians.selector));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
        set = _guardians();
        set.delay = 1 days;
        vm.expectRevert(_error(IOwnership.OtherGuardians.selector));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
    }

    function test_withoutGuardians() public {
        _setGuardians(GuardianSet(new address[](0), 0, 0));
        Owner[] memory owners = lost;
        GuardianSet memory none = GuardianSet(new address[](0), 0, 0);
        vm.expectRevert(_error(IOwnership.OtherGuardians.selector));
        ownership.startRecovery(account, 2, 1, owners, 1, none, new GuardianSignature[](0));
    }

    function test_error_noOwners() public {
        Owner[] memory none = new Owner[](0);
        GuardianSignature[] memory signatures = _signRecovery(none, 0, 2);
        GuardianSet memory set = _guardians();
        vm.expectRevert(_error(IOwnership.TooFewOwners.selector));
        ownership.startRecovery(account, 1, 1, none, 1, set, signatures);
        Owner[] memory invalid = _only(_named(address(sessionKeys)));
        signatures = _signRecovery(invalid, 0, 2);
        vm.expectPartialRevert(IOwnership.InvalidOwner.selector);
        ownership.startRecovery(account, 1, 1, invalid, 1, set, signatures);
    }

    /// @dev A thief of an owner's key replaces the guardians while they recover, or after it cancelled.
    function test_newGuardiansWaitForTheDelay() public {
        _start(lost);
        uint256 readyAt = block.timestamp + DELAY;
        _change(CANCEL, "");
        GuardianSet memory thief = _guardian(vm.addr(THIRD_PARTY_KEY));
        _setGuardians(thief);
        assertEq(ownership.stateOf(account).nextGuardiansFrom, readyAt, "later");
        _start(lost);
        vm.warp(readyAt - 1);
        assertTrue(ownership.stateOf(account).recovery != 0, "the guardians can still act");
    }

    /// @dev Guardians who start again and again do not keep an owner from replacing them.
    function test_startingAgainDoesNotMoveTheDate() public {
        _start(lost);
        uint256 readyAt = block.timestamp + DELAY;
        _setGuardians(_guardian(vm.addr(OTHER_OWNER_KEY)));
        vm.warp(readyAt - 1 hours);
        _start(lost);
        // Nor does the owner's second thought.
        _setGuardians(_guardian(vm.addr(NEW_OWNER_KEY)));
        assertEq(ownership.stateOf(account).nextGuardiansFrom, readyAt, "the same date");
        _start(lost);
        vm.warp(readyAt);
        bytes32 successor = keccak256(abi.encode(_guardian(vm.addr(NEW_OWNER_KEY))));
        assertTrue(ownership.stateOf(account).guardians == successor, "replaced");
        assertTrue(ownership.stateOf(account).recovery == 0, "and their recovery with them");
        vm.warp(readyAt + DELAY);
        vm.expectPartialRevert(IOwnership.NoRecovery.selector);
        ownership.executeRecovery(account, lost, 1);
        _setGuardians(_guardians());
        assertTrue(
            ownership.stateOf(account).guardians == keccak256(abi.encode(_guardians())), "at once again"
        );
    }

    /// @dev New guardians leave nothing of the old ones: what is read before the next call is what it stores.
    function test_successionIsComplete() public {
        _start(lost);
        uint48 readyAt = uint48(block.timestamp) + DELAY;
        GuardianSet memory successors = _guardian(vm.addr(OTHER_OWNER_KEY));
        _setGuardians(successors);
        assertTrue(ownership.stateOf(account).nextGuardians == keccak256(abi.encode(successors)), "waits");
        vm.warp(block.timestamp + 1 hours);
        _start(lost);
        bytes32 running = ownership.stateOf(account).recovery;
        vm.warp(readyAt);
        _expectSuccession(successors);
        bytes memory signature = _sign(OWNER_KEY, 2, CANCEL, "");
        vm.expectEmit(address(ownership));
        emit IOwnership.RecoveryCancelled(account, running);
        ownership.applyChange(account, 2, CANCEL, "", signature);
        _expectSuccession(successors);
        // Their own recovery counts, and does not wait for anything.
        Owner[] memory owners = lost;
        bytes32 hash = ownership.recoveryHash(account, 3, 1, owners, 1);
        GuardianSignature[] memory signatures = new GuardianSignature[](1);
        signatures[0] = GuardianSignature(vm.addr(OTHER_OWNER_KEY), _keySignature(OTHER_OWNER_KEY, hash));
        ownership.startRecovery(account, 3, 1, owners, 1, successors, signatures);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        assertEq(IOwnedSafe(account).getOwners().length, 2, "recovered");
    }

    function _expectSuccession(GuardianSet memory successors) private view {
        OwnershipState memory state = ownership.stateOf(account);
        assertTrue(state.guardians == keccak256(abi.encode(successors)), "guardians");
        assertTrue(state.nextGuardians == 0, "no next guardians");
        assertEq(state.nextGuardiansFrom, 0, "no date");
        assertTrue(state.recovery == 0, "no recovery");
    }

    /// @dev The signer contract of a friend's passkey: one signature for all networks.
    function test_guardianByPasskey() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(OTHER_PASSKEY);
        address guardian = signerFactory.createSigner(x, y, _verifiers());
        _setGuardians(_guardian(guardian));
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        bytes memory signature = _assertion(OTHER_PASSKEY, ownership.recoveryHash(account, 2, 1, owners, 1));
        _startBy(guardian, owners, signature);
        assertTrue(ownership.stateOf(account).recovery != 0, "started");
    }

    /// @dev A friend's account: Safe's message contains the chain id.
    function test_guardianByAccount() public {
        _setGuardians(_guardian(otherAccount));
        Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
        bytes32 hash = ownership.recoveryHash(account, 2, 1, owners, 1);
        bytes32 messageHash =
            IMessageHash(address(module)).getMessageHashForSafe(otherAccount, abi.encode(hash));
        _startBy(otherAccount, owners, _keySignature(OTHER_OWNER_KEY, messageHash));
        assertTrue(ownership.stateOf(account).recovery != 0, "started");
    }

    /// @dev EIP-7702: the key's signature counts although the address has code, here code that accepts nothing.
    function test_guardianWithDelegatedCode() public {
        Owner[] memory owners = lost;
        vm.etch(vm.addr(guardianKeys[0]), hex"5f5ffd");
        _start(owners);
        assertTrue(ownership.stateOf(account).recovery != 0, "started");
    }

    function test_hostileGuardians() public {
        address[5] memory hostile = [
            address(new BurningGuardian()),
            address(new BombGuardian()),
            address(new ReenteringGuardian(ownership)),
            address(new AlmostGuardian()),
            address(new ShortGuardian())
        ];
        for (uint256 i; i < hostile.length; ++i) {
            _setGuardians(_guardian(hostile[i]));
            Owner[] memory owners = _only(_eoa(NEW_OWNER_KEY));
            GuardianSignature[] memory signatures = new GuardianSignature[](1);
            signatures[0] = GuardianSignature(hostile[i], abi.encode(account, _sequence()));
            uint64 sequence = _sequence();
            uint256 gas = gasleft();
            vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
            ownership.startRecovery(account, sequence, 1, owners, 1, _guardian(hostile[i]), signatures);
            assertTrue(gas - gasleft() < 1_500_000, "bounded");
        }
    }

    function _startBy(address guardian, Owner[] memory owners, bytes memory signature) private {
        GuardianSignature[] memory signatures = new GuardianSignature[](1);
        signatures[0] = GuardianSignature(guardian, signature);
        ownership.startRecovery(account, 2, 1, owners, 1, _guardian(guardian), signatures);
    }

    function _unsigned(Owner[] memory owners, GuardianSignature[] memory signatures) private {
        GuardianSet memory set = _guardians();
        vm.expectRevert(abi.encodeWithSelector(IOwnership.NotSignedByGuardians.selector));
        ownership.startRecovery(account, 1, 1, owners, 1, set, signatures);
    }
}

interface IMessageHash {
    function getMessageHashForSafe(address safe, bytes memory message) external view returns (bytes32);
}

contract BurningGuardian {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        while (gasleft() > 100) {}
        return 0x1626ba7e;
    }
}

/// @dev A megabyte that begins with the magic value is accepted: 32 bytes of it are read. This one begins with zeros.
contract BombGuardian {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        assembly {
            return(0x80, 200000)
        }
    }
}

/// @dev Calls back into what it was asked by.
contract ReenteringGuardian {
    IOwnership private immutable OWNERSHIP;

    constructor(IOwnership ownership) {
        OWNERSHIP = ownership;
    }

    function isValidSignature(bytes32, bytes calldata signature) external returns (bytes4) {
        (address account,) = abi.decode(signature, (address, uint64));
        Owner[] memory owners = new Owner[](1);
        owners[0] = Owner(0, abi.encodePacked(address(this)));
        OWNERSHIP.executeRecovery(account, owners, 1);
        return 0x1626ba7e;
    }
}

/// @dev The magic value alone: ERC-1271 answers a word.
contract ShortGuardian {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 4)
        }
    }
}

/// @dev The magic value with something behind it.
contract AlmostGuardian {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes32) {
        return 0x1626ba7e00000000000000000000000000000000000000000000000000000001;
    }
}
