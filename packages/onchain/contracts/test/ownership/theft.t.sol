// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {GuardianSignature, Owner} from "../../interfaces/IOwnership.sol";
import {Session} from "../../session-keys/Session.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice The loss by a thief with the phone and its unlock code, as figures: until the other owner removes the phone, after that,
/// and after a recovery. The thief has 100 ether and 1,000 tokens before them.
contract TheftTest is OwnershipTest {
    uint256 private constant HELD = 100 ether;
    uint256 private constant THIEF_KEY = 0x7417EF;

    event Lost(string when, uint256 lost, uint256 held);

    function setUp() public override {
        super.setUp();
        _setGuardians(_guardians());
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
    }

    /// @dev An owner acts alone: nothing limits it, and no delay holds it back.
    function test_untilTheRemoval() public {
        vm.startPrank(account);
        payable(RECIPIENT).transfer(HELD);
        token.transfer(RECIPIENT, 1_000e6);
        vm.stopPrank();
        assertEq(RECIPIENT.balance, HELD, "all coins");
        assertEq(token.balanceOf(RECIPIENT), 1_000e6, "all tokens");
        emit Lost("until the removal", RECIPIENT.balance, HELD);
    }

    /// @dev The thief granted 40 sessions of two months. The other owner signs once, and a month later more money arrives.
    function test_afterTheRemoval() public {
        Session memory session = _session();
        session.validUntil = uint48(block.timestamp + 60 days);
        for (uint256 i; i < 40; ++i) {
            _grant(account, _keyOf(SESSION_KEY + i), session);
        }
        PackedUserOperation memory op = _build(_draft(_calls(RECIPIENT, 0.6 ether, "")));
        uint256 before = _snapshot();
        _handle(op);
        assertEq(RECIPIENT.balance, 0.6 ether, "a session works");
        _goTo(before, block.chainid);

        _removePhone();
        vm.warp(block.timestamp + 30 days);
        vm.deal(account, 2 * HELD);
        assertEq(sessionKeys.keysOf(account).length, 0, "no session");
        vm.expectRevert();
        this.handle(op);
        _requirePowerless(OWNER_KEY);
        assertEq(RECIPIENT.balance, 0, "nothing");
        emit Lost("after the removal", RECIPIENT.balance, HELD);
    }

    function handle(PackedUserOperation calldata op) external {
        _handle(op);
    }

    /// @dev Sessions, a pin and a further owner: the removal of the phone alone would leave the last.
    function test_afterARecovery() public {
        _leaveEverything();
        _removePhone();
        assertTrue(_owns(account, vm.addr(THIEF_KEY)), "a removal leaves what the thief added");
        Owner[] memory owners = _only(_eoa(OTHER_OWNER_KEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        assertTrue(!_owns(account, vm.addr(THIEF_KEY)), "removed");
        assertEq(
            pins.signerUntil(account, _keyOf(THIEF_KEY)),
            block.timestamp + 1 days,
            "one day of orders at most"
        );
        assertEq(sessionKeys.keysOf(account).length, 0, "no session");
        _requirePowerless(OWNER_KEY);
        _requirePowerless(THIEF_KEY);
        emit Lost("after a recovery", RECIPIENT.balance, HELD);
    }

    /// @dev The thief named guardians of its own, which is at once while no recovery runs. They start after the removal: the
    /// owner sees it for the whole delay, and one signature ends it.
    function test_guardiansOfTheThief() public {
        _change(SET_GUARDIANS, abi.encode(_guardian(vm.addr(THIEF_KEY))));
        _removePhone();
        Owner[] memory owners = _only(_eoa(THIEF_KEY));
        bytes32 hash = ownership.recoveryHash(account, _sequence(), 1, owners, 1);
        GuardianSignature[] memory signatures = new GuardianSignature[](1);
        signatures[0] = GuardianSignature(vm.addr(THIEF_KEY), _keySignature(THIEF_KEY, hash));
        ownership.startRecovery(account, _sequence(), 1, owners, 1, _guardian(vm.addr(THIEF_KEY)), signatures);
        uint256 atTheStart = _snapshot();

        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        assertTrue(_owns(account, vm.addr(THIEF_KEY)), "all, if the owner does nothing for the whole delay");

        _goTo(atTheStart, block.chainid);
        _changeBy(NEW_OWNER_KEY, SET_GUARDIANS, abi.encode(_guardians()));
        assertTrue(ownership.stateOf(account).recovery == 0, "ended");
        emit Lost("by guardians of the thief", RECIPIENT.balance, HELD);
    }

    function _leaveEverything() private {
        _grant(_session());
        vm.startPrank(account);
        ISafeAccount(account).addOwnerWithThreshold(vm.addr(THIEF_KEY), 1);
        pins.addSigner(_keyOf(THIEF_KEY));
        vm.stopPrank();
    }

    function _removePhone() private {
        _changeBy(NEW_OWNER_KEY, REMOVE, abi.encode(_eoa(OWNER_KEY)));
    }

    function _changeBy(uint256 key, bytes32 kind, bytes memory data) private {
        ownership.applyChange(account, _sequence(), kind, data, _sign(key, _sequence(), kind, data));
    }

    /// @dev Neither owners nor guardians follow from the key any more.
    function _requirePowerless(uint256 key) private {
        bytes memory data = abi.encode(_eoa(key));
        uint64 sequence = _sequence();
        bytes memory signature = _sign(key, sequence, ADD, data);
        vm.expectRevert(bytes("GS026"));
        ownership.applyChange(account, sequence, ADD, data, signature);
    }
}
